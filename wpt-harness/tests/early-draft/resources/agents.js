// Creates agents that run resources/agent.js, and sends them commands.
'use strict';

class Agent {
  #post;
  #waiting = [];
  #heard = [];
  #ids = 0;

  // `listenTo` is where messages of the agent arrive; `post` sends it one.
  constructor(listenTo, post, isMine = () => true) {
    this.#post = post;
    listenTo.addEventListener('message', event => {
      if (isMine(event)) {
        this.#heard.push(event.data);
        this.#deliver();
      }
    });
  }

  #deliver() {
    this.#waiting = this.#waiting.filter(({id, event, resolve}) => {
      const at = this.#heard.findIndex(message => message.id === id && message.event === event);
      if (at < 0) return true;
      resolve(this.#heard.splice(at, 1)[0].value);
      return false;
    });
  }

  // Resolves with the value of an event.
  hears(id, event) {
    return new Promise(resolve => {
      this.#waiting.push({id, event, resolve});
      this.#deliver();
    });
  }

  #ask(command, ...args) {
    const id = ++this.#ids;
    this.#post({id, command, args: command === 'acquire' ? [...args, id] : args});
    return id;
  }

  // A request: its events, and its release.
  acquire(scope, options = {}) {
    const id = this.#ask('acquire', scope, options);
    const once = event => {
      let promise;
      return () => (promise ??= this.hears(id, event));
    };
    return {
      held: once('held'),
      missed: once('missed'),
      settled: once('settled'),
      release: () => this.#ask('release', id),
    };
  }

  async queryState() {
    return JSON.parse(await this.queryStateAsText());
  }

  queryStateAsText() {
    return this.hears(this.#ask('queryState'), 'state');
  }

  forceRelease(scope) {
    return this.hears(this.#ask('forceRelease', scope), 'done');
  }

  async #ready(extra) {
    await this.hears(undefined, 'ready');
    return Object.assign(this, extra);
  }

  static frame(t, url = 'resources/agent.html', attributes = {}) {
    const frame = document.createElement('iframe');
    const agent = new Agent(window, message => frame.contentWindow.postMessage(message, '*'),
        event => event.source === frame.contentWindow);
    for (const [name, value] of Object.entries(attributes)) {
      frame.setAttribute(name, value);
    }
    frame.src = url;
    document.body.append(frame);
    t.add_cleanup(() => frame.remove());
    return agent.#ready({frame});
  }

  static popup(t, url = 'resources/agent.html') {
    const popup = window.open(url);
    t.add_cleanup(() => popup.close());
    const agent = new Agent(window, message => popup.postMessage(message, '*'), event => event.source === popup);
    return agent.#ready({popup});
  }

  static worker(t, url = 'resources/agent.js') {
    const worker = new Worker(url);
    t.add_cleanup(() => worker.terminate());
    return new Agent(worker, message => worker.postMessage(message)).#ready({worker});
  }

  static sharedWorker(t) {
    const {port} = new SharedWorker('resources/agent.js');
    const agent = new Agent(port, message => port.postMessage(message));
    port.start();
    return agent.#ready({port});
  }
}
