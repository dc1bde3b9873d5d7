// Two agents hand one lock to each other.
import {contest} from './contention.js';

export {contend, done, progress} from './contention.js';

export const round = (bench, size) => contest(bench, size, 2);
