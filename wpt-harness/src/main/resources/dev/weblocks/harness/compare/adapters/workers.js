// Agents that are dedicated workers.
import {Agent} from './calls.js';

export function spawnWorker(workload) {
  return new Promise((resolve, reject) => {
    const url = new URL(`./worker.js?${workload}`, import.meta.url);
    const worker = new Worker(url, {type: 'module'});
    const agent = new Agent(
      (message) => worker.postMessage(message),
      () => worker.terminate(),
    );
    worker.onmessage = ({data}) => {
      if (data.ready) resolve(agent);
      else agent.answered(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const error = new Error(event.message || 'the worker failed');
      reject(error);
      agent.failed(error);
    };
  });
}
