// The driver's side of Node: commands and answers are lines of JSON.
import {createInterface} from 'node:readline';
import {Worker} from 'node:worker_threads';
import {Agent, obey} from './calls.js';

function spawn(workload) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./node-agent.js', import.meta.url), {workerData: workload});
    const agent = new Agent(
      (message) => worker.postMessage(message),
      () => worker.terminate(),
    );
    worker.on('message', (message) => {
      if (message.ready) resolve(agent);
      else agent.answered(message);
    });
    worker.on('error', (error) => {
      reject(error);
      agent.failed(error);
    });
  });
}

const bench = (workload) => ({
  now: () => performance.now(),
  spawn: () => spawn(workload),
  spawnWorker: () => spawn(workload),
});

const locks = typeof navigator === 'object' && 'locks' in navigator;
console.log(JSON.stringify({ready: true, version: process.versions.node, locks}));
for await (const line of createInterface({input: process.stdin})) {
  const command = JSON.parse(line);
  if (command.collect) globalThis.gc();
  const answer = command.collect ? {id: command.id, value: null} : await obey(command, bench);
  console.log(JSON.stringify(answer));
}
process.exit();
