// The driver's side of a page: the driver calls obeyDriver(). With ?windows, agents are windows.
import {Agent, obey} from './calls.js';
import {spawnWorker} from './workers.js';

let windows = 0;

function spawnWindow(workload) {
  return new Promise((resolve) => {
    const name = `agent-${++windows}`;
    const channel = new BroadcastChannel(name);
    const agent = new Agent(
      (message) => channel.postMessage(message),
      () => {
        channel.postMessage({close: true});
        channel.close();
      },
    );
    channel.onmessage = ({data}) => {
      if (data.ready) resolve(agent);
      else agent.answered(data);
    };
    open(`window.html?${workload}&${name}`, '_blank', 'noopener');
  });
}

const spawn = location.search === '?windows' ? spawnWindow : spawnWorker;
const bench = (workload) => ({
  now: () => performance.now(),
  spawn: () => spawn(workload),
  spawnWorker: () => spawnWorker(workload),
});

globalThis.obeyDriver = (command) => obey(command, bench);
