// Dedicated workers in all engines.
import {start} from './starting.js';

export {take} from './starting.js';

export const round = (bench, size) => start(bench, size, bench.spawnWorker);
