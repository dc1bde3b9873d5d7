// An agent in Node: a worker thread.
import {parentPort, workerData} from 'node:worker_threads';
import {answering} from './calls.js';

parentPort.on('message', answering(workerData, (message) => parentPort.postMessage(message)));
parentPort.postMessage({ready: true});
