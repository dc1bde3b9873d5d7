import { buffers } from './buffers.js';
import { errorReader } from './errors.js';
import { callbacks } from './callbacks.js';
import { promises } from './promises.js';
import { globalObject } from './global-object.js';
import { platformObjects } from './platform-objects.js';
import { scriptValues } from './script-values.js';

// The functions that Java calls, by the class that calls them.
export const api = {
  __proto__: null,
  buffers,
  callbacks,
  errorReader,
  globalObject,
  platformObjects,
  promises,
  scriptValues,
};
