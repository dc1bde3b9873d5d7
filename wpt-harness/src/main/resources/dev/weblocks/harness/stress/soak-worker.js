// A worker of a soak run: holds a lock until it is terminated, answers through a port, or ends itself.
onmessage = e => {
  if (e.data === 'stop') close();
  else if (e.data.port) e.data.port.postMessage(e.data.bytes.length);
};
if (location.search !== '?port') {
  const name = 'lock-' + Number(location.search.slice(1)) % 8;
  navigator.locks.request(name, { ifAvailable: true }, () => {
    postMessage('requested');
    return new Promise(() => {});
  }).catch(() => {}); // stolen
}
