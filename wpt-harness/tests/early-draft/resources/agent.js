// An agent in a frame, a popup or a worker, which executes lock commands of the test.
'use strict';

const releases = new Map();

// Executes a command, and reports events by tell(event, value).
const commands = {
  acquire([scope, options, id], tell) {
    navigator.locks.acquire(scope, options, lock => {
      if (lock === null) {
        tell('missed');
        return undefined;
      }
      tell('held', lock.scope);
      return new Promise(resolve => { releases.set(id, resolve); });
    }).then(value => tell('settled', value), error => tell('settled', error.name));
  },
  release([id]) {
    releases.get(id)();
  },
  async queryState(none, tell) {
    tell('state', await navigator.locks.queryState().then(state => JSON.stringify(state), e => e.name));
  },
  async forceRelease([scope], tell) {
    tell('done', await navigator.locks.forceRelease(scope).then(() => 'released', e => e.name));
  },
};

function listen(target, post) {
  target.addEventListener('message', ({data}) => {
    commands[data.command](data.args, (event, value) => post({id: data.id, event, value}));
  });
  post({event: 'ready'});
}

if (self.document) {
  const maker = self.opener ?? self.parent;
  listen(self, message => maker.postMessage(message, '*'));
} else if (self.SharedWorkerGlobalScope) {
  self.onconnect = ({ports: [port]}) => {
    port.start();
    listen(port, message => port.postMessage(message));
  };
} else {
  listen(self, message => self.postMessage(message));
}
