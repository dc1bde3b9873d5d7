// The driver's side of Deno: commands and answers are lines of JSON.
import {obey} from './calls.js';
import {spawnWorker} from './workers.js';

const bench = (workload) => ({
  now: () => performance.now(),
  spawn: () => spawnWorker(workload),
  spawnWorker: () => spawnWorker(workload),
});

const locks = typeof navigator === 'object' && 'locks' in navigator;
console.log(JSON.stringify({ready: true, version: Deno.version.deno, locks}));
let rest = '';
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const command = JSON.parse(line);
    if (command.collect) globalThis.gc();
    const answer = command.collect ? {id: command.id, value: null} : await obey(command, bench);
    console.log(JSON.stringify(answer));
  }
}
Deno.exit();
