// An agent that is a separate window.
import {answering} from './calls.js';

const [workload, name] = location.search.slice(1).split('&');
const channel = new BroadcastChannel(name);
const answer = answering(workload, (message) => channel.postMessage(message));
channel.onmessage = ({data}) => {
  if (data.close) close();
  else answer(data);
};
channel.postMessage({ready: true});
