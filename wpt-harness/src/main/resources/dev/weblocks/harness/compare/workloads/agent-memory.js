// Agents of the engine's primary kind: windows if it has them, otherwise workers.
import {grow} from './keeping.js';

export {keep} from './keeping.js';

export const round = (bench, size) => grow(size, bench.spawn);
