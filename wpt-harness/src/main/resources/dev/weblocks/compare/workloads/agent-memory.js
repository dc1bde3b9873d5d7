// Agents of the kind that is an engine's first: windows where it has them, else workers.
import {grow} from './keeping.js';

export {keep} from './keeping.js';

export const round = (bench, size) => grow(size, bench.spawn);
