// A shared worker that runs the script of each message, and answers when its promise is fulfilled.
'use strict';

onconnect = event => {
  const [port] = event.ports;
  port.onmessage = async ({data}) => {
    await eval(data);
    port.postMessage('done');
  };
};
