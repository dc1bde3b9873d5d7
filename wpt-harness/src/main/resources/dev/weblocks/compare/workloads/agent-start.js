// Agents of the kind that is an engine's first: windows where it has them, else workers.
import {start} from './starting.js';

export {take} from './starting.js';

export const round = (bench, size) => start(bench, size, bench.spawn);
