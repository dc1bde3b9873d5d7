// Dedicated workers in all engines.
import {grow} from './keeping.js';

export {keep} from './keeping.js';

export const round = (bench, size) => grow(size, bench.spawnWorker);
