'use strict';
// The runtime of a generated program: each realm loads it first. Lines go to the main window, which
// reports all of them to the server when no line has come for several rounds.
// Parameters of the main window's URL: wait, milliseconds of a round; rounds, the quiet rounds before
// the report; limit, the rounds after which it gives up.
var p = {}, d = {}, ac = {}, peers = {}, children = {}, handlers = {};
var locks = navigator.locks;
var log, send;

// Begins the realm: its name, and how many deferred promises and controllers it has.
function begin(name, deferreds, controllers) {
  const lines = new BroadcastChannel('log');
  const targets = {};
  let count = 0;
  if (name === 'main') {
    collect(new URLSearchParams(location.search));
  }
  log = text => lines.postMessage([name, count++, text]);
  send = (realm, message) => {
    targets[realm] ??= new BroadcastChannel('to ' + realm);
    targets[realm].postMessage(message);
  };
  children.note = (realm, state) => lines.postMessage([realm, -1, state]);
  new BroadcastChannel('to ' + name).onmessage = event => handlers[event.data]?.();
  for (let i = 1; i <= deferreds; i++) {
    d[i] = {};
    d[i].promise = new Promise((resolve, reject) => Object.assign(d[i], {resolve, reject}));
  }
  for (let i = 1; i <= controllers; i++) {
    ac[i] = new AbortController();
  }
  lines.postMessage([name, -1, 'began']);
}

function collect(parameters) {
  const wait = Number(parameters.get('wait') ?? 50);
  const rounds = Number(parameters.get('rounds') ?? 4);
  let limit = Number(parameters.get('limit') ?? 200);
  const logs = {};
  const starting = new Set();
  let changed = false;
  let quiet = 0;
  new BroadcastChannel('log').onmessage = ({data: [realm, number, text]}) => {
    changed = true;
    if (number >= 0) {
      (logs[realm] ??= [])[number] = text;
    } else if (text === 'created') {
      starting.add(realm);
    } else {
      starting.delete(realm);
    }
  };
  const round = async () => {
    await navigator.locks.query();
    quiet = changed || starting.size > 0 ? 0 : quiet + 1;
    changed = false;
    if (quiet < rounds && --limit > 0) {
      setTimeout(round, wait);
    } else {
      fetch('/report', {method: 'POST', body: JSON.stringify({complete: quiet >= rounds, logs})});
    }
  };
  setTimeout(round, wait);
}

// Texts of values.
function show(value) {
  if (value !== null && typeof value === 'object' && 'mode' in value) {
    return 'lock ' + value.name + ' ' + value.mode;
  }
  return typeof value === 'object' && value !== null ? error(value) : String(value);
}

function error(e) {
  return e !== null && typeof e === 'object'
    ? e.name + (e instanceof Error ? '' : ' of another realm')
    : String(e);
}

function watch(id, promise) {
  promise.then(value => log(id + ' fulfilled ' + show(value)),
      reason => log(id + ' rejected ' + error(reason)));
  return promise;
}

function react(id, promise, body) {
  promise?.then(value => { log(id + ' reaction ' + show(value)); body(); },
      reason => { log(id + ' reaction rejected ' + error(reason)); body(); });
}

function onAbort(id, signal, body) {
  signal.addEventListener('abort', () => { log(id + ' abort ' + error(signal.reason)); body(); });
}

// The order of held locks, and of names among pending requests, is open: both are sorted.
function watchQuery(id, promise) {
  const text = infos => infos.map(each => each.name + ' ' + each.mode);
  promise.then(({held, pending}) => {
    const order = Array.from(pending, (each, i) => i)
        .sort((a, b) => pending[a].name < pending[b].name ? -1
            : pending[a].name > pending[b].name ? 1 : a - b);
    log(id + ' held [' + text(held).sort() + '] pending [' + text(order.map(i => pending[i])) + ']');
  }, reason => log(id + ' rejected ' + error(reason)));
}

// Values with observable conversions.
function named(id, text) {
  return {toString() { log(id + ' name'); return text; }};
}

function badName(id) {
  return {toString() { log(id + ' name'); throw 'bad name ' + id; }};
}

function member(id, key, value) {
  return {get [key]() { log(id + ' get ' + key); return value; }};
}

function badMember(id, key) {
  return {get [key]() { log(id + ' get ' + key); throw 'bad ' + key; }};
}

// Joins objects of one property each, without calling their getters.
function options(...members) {
  const all = {};
  for (const each of members) {
    const key = Object.keys(each)[0];
    Object.defineProperty(all, key, Object.getOwnPropertyDescriptor(each, key));
  }
  return all;
}

function watched(id, target) {
  return new Proxy(target, {get(from, key) { log(id + ' trap ' + String(key)); return from[key]; }});
}

function thenable(id, kind) {
  const then = {
    now: resolve => resolve('t' + id),
    rejecting: (resolve, reject) => reject('t' + id),
    twice: (resolve, reject) => { resolve('t' + id); reject('no'); resolve('no'); },
    throwing: () => { throw 't' + id; },
    late: resolve => { queueMicrotask(() => resolve('t' + id)); },
    resolvedThenThrowing: resolve => { resolve('t' + id); throw 'no'; },
    nested: resolve => resolve(thenable(id + 'n', 'now')),
  }[kind];
  return {
    get then() {
      log(id + ' get then');
      if (kind === 'badGetter') {
        throw 't' + id;
      }
      return (resolve, reject) => { log(id + ' then'); then(resolve, reject); };
    },
  };
}

function ownConstructor(id) {
  return Object.defineProperty(Promise.resolve('c' + id), 'constructor', {
    get() { log(id + ' get constructor'); return Promise; },
  });
}

// Other realms.

// Shares the lock managers of a frame or an opened window and of the main window.
function meet(name) {
  const main = opener ?? parent;
  main.peers[name] = locks;
  peers.main = main.locks;
}

function frame(name) {
  if (children[name]) {
    return;
  }
  const element = document.createElement('iframe');
  element.src = '/' + name + '.html';
  children.note(name, 'created');
  document.body.append(element);
  children[name] = {end() { element.remove(); }};
}

function opened(name) {
  if (children[name]) {
    return;
  }
  children.note(name, 'created');
  const other = open('/' + name + '.html');
  children[name] = {end() { other.close(); }};
}

function worker(name) {
  if (children[name]) {
    return;
  }
  children.note(name, 'created');
  const made = new Worker('/' + name + '.js');
  children[name] = {end() { made.terminate(); }};
}

function shared(name) {
  if (children[name]) {
    return;
  }
  children.note(name, 'created');
  const made = new SharedWorker('/' + name + '.js');
  children[name] = {made};
}

function end(name) {
  if (children[name]?.end) {
    children.note(name, 'ended');
    children[name].end();
  }
}
