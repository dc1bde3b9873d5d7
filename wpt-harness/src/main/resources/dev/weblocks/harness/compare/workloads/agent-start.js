// Agents of the engine's primary kind: windows if it has them, otherwise workers.
import {start} from './starting.js';

export {take} from './starting.js';

export const round = (bench, size) => start(bench, size, bench.spawn);
