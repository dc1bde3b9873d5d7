// An agent that is a dedicated worker.
import {answering} from './calls.js';

const answer = answering(new URL(import.meta.url).search.slice(1), (message) =>
  postMessage(message),
);
onmessage = ({data}) => answer(data);
postMessage({ready: true});
