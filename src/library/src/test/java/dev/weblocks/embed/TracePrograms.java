package dev.weblocks.embed;

import java.util.function.Consumer;

/**
 * Programs whose traces {@link TraceGoldenTest} compares: together they take each shortcut of the
 * implementation, and meet each reason for not taking it.
 */
enum TracePrograms {
  MANY_REQUESTS_OF_ONE_NAME(
      "last 39",
      of(
          """
          for (let i = 0; i < 40; i++) {
            navigator.locks.request('a', lock => console.log(lock.name, i))
                .then(() => console.log(i === 39 ? 'last' : 'then', i));
            queueMicrotask(() => console.log('microtask', i));
          }
          """)),

  DISTINCT_NAMES(
      "name 39",
      of(
          """
          (async () => {
            for (let i = 0; i < 40; i++) {
              await navigator.locks.request('name ' + i, async lock => {
                await null;
                console.log(lock.name);
              });
            }
          })();
          for (let i = 0; i < 10; i++) navigator.locks.request('other ' + i, () => i).then(console.log);
          """)),

  SHARED_AND_EXCLUSIVE(
      "exclusive 12",
      s ->
          s.window(Scripts.SHARED_AND_EXCLUSIVE)
              .window(Scripts.SHARED_AND_EXCLUSIVE)
              .runForErrors()),

  IF_AVAILABLE(
      "miss null",
      of(
          """
          const options = {ifAvailable: true};
          navigator.locks.request('a', options, async lock => {
            console.log('hit', lock.name);
            for (let i = 0; i < 3; i++) {
              await navigator.locks.request('a', options, miss => console.log('miss', miss));
              await navigator.locks.request('a', {...options, mode: 'shared'}, miss => Promise.resolve(miss));
              await navigator.locks.request('a', options, () => { throw 'thrown'; }).catch(console.log);
            }
          }).then(() => navigator.locks.request('a', options, again => console.log('again', again.mode)));
          """)),

  STEAL_WITH_VICTIM_WAITING(
      "stolen AbortError",
      of(
          """
          let release;
          navigator.locks.request('a', () => new Promise(r => release = r))
              .catch(e => console.log('stolen', e.name));
          navigator.locks.request('a', () => console.log('waited'));
          setTimeout(() => {
            navigator.locks.request('a', {steal: true}, async lock => {
              release('too late');
              await null;
              console.log('thief', lock.name);
              navigator.locks.query().then(s => console.log(JSON.stringify(s)));
            });
            navigator.locks.request('a', {steal: true}, () => console.log('second thief'));
          }, 2);
          navigator.locks.request('a', {mode: 'shared'}, () => console.log('shared'));
          """)),

  ABORT_BEFORE_DURING_AND_AFTER(
      "after the grant: a value",
      of(
          """
          const said = what => [v => console.log(what, v), e => console.log(what, e.name ?? e)];
          navigator.locks.request('a', {signal: AbortSignal.abort()}, () => {}).then(...said('before:'));
          const during = new AbortController();
          const after = new AbortController();
          const racing = new AbortController();
          navigator.locks.request('a', {signal: after.signal}, async () => {
            after.abort();
            await new Promise(r => setTimeout(r, 3));
            return 'a value';
          }).then(...said('after the grant:'));
          navigator.locks.request('a', {signal: during.signal}, () => console.log('never'))
              .then(...said('during:'));
          navigator.locks.request('a', {signal: racing.signal}, () => console.log('racing'))
              .then(...said('racing:'));
          navigator.locks.request('a', {signal: AbortSignal.timeout(1)}, () => console.log('never'))
              .then(...said('timeout:'));
          setTimeout(() => during.abort('a reason'), 1);
          setTimeout(() => racing.abort(), 3);
          """)),

  QUERIES_BETWEEN_CHANGES(
      "\"name\":\"name 4\"",
      s ->
          s.window(
                  """
                  async function ask() {
                    const answers = await Promise.all([1, 2, 3].map(() => navigator.locks.query()));
                    const [first, second] = answers;
                    console.log(answers.map(each => JSON.stringify(each)).join());
                    console.log(first !== second, first.held !== second.held,
                        first.held.length === 0 || first.held[0] !== second.held[0]);
                    first.held.length = 0;
                    first.added = 1;
                    return second;
                  }
                  (async () => {
                    await ask();
                    for (let i = 0; i < 5; i++) {
                      await navigator.locks.request('name ' + i, async () => {
                        await ask();
                        navigator.locks.request('name ' + i, {mode: 'shared'}, () => {});
                        await ask();
                        console.log(JSON.stringify((await ask()).pending.map(info => info.name)));
                      });
                      await ask();
                    }
                  })();
                  """)
              .window(
                  """
                  (async () => {
                    for (let i = 0; i < 5; i++) {
                      await navigator.locks.request('name ' + i, {mode: 'shared'}, () => {});
                      console.log(JSON.stringify(await navigator.locks.query()));
                    }
                  })();
                  """)
              .runForErrors()),

  TWO_AGENTS(
      "round 0", s -> s.window(Scripts.CONTENDING).window(Scripts.CONTENDING).runForErrors()),

  FOUR_AGENTS(
      "round 0",
      s ->
          s.window(Scripts.CONTENDING)
              .window(Scripts.CONTENDING)
              .windowAt("https://two.test", Scripts.CONTENDING)
              .window(Scripts.CONTENDING)
              .runForErrors()),

  AN_AGENT_DIES_WITH_A_LOCK(
      "inherited",
      s -> {
        s.resource(
                "/dies.js",
                """
                navigator.locks.request('b', () => { postMessage('mine'); return new Promise(() => {}); });
                navigator.locks.request('a', {mode: 'shared'}, () => console.log('worker'));
                """)
            .window(
                """
                navigator.locks.request('a', () => new Promise(() => console.log('held')));
                navigator.locks.request('a', () => console.log('never'));
                """)
            .runFor(5);
        s.window(
                """
                for (let i = 0; i < 3; i++) navigator.locks.request('a', () => console.log('inherited', i));
                const worker = new Worker('/dies.js');
                worker.onmessage = () => {
                  navigator.locks.request('b', () => console.log('b after the end of the worker'));
                  setTimeout(() => worker.terminate(), 1);
                };
                """)
            .runFor(5);
        s.closeWindow(0).runForErrors();
      }),

  CALLBACKS_THAT_THROW_AND_RETURN(
      "thenable 7",
      of(
          """
          const callbacks = {
            throws() { throw new Error('thrown'); },
            throwsNothing() { throw undefined; },
            value() { return 1; },
            promise() { return Promise.resolve(2); },
            rejection() { return Promise.reject(3); },
            async later() { await null; await null; return 4; },
            slowly() { return new Promise(r => setTimeout(r, 2, 5)); },
            thenable() { return {then(f) { console.log('then is called'); f(7); }}; },
            thenableThatThrows() { return {then() { throw 8; }}; },
            thenableOfThenable() { return {then(f) { f({then(g) { queueMicrotask(() => g(9)); }}); }}; },
            getterThatThrows() { return {get then() { throw 10; }}; },
            proxied: new Proxy(() => 11, {}),
            bound: (function () { return typeof this; }).bind(12),
          };
          for (const [name, callback] of Object.entries(callbacks)) {
            Promise.resolve().then(() => console.log('before', name));
            navigator.locks.request('a', callback)
                .then(v => console.log(name, v), e => console.log(name, 'rejects', String(e)));
            navigator.locks.request('a', {mode: 'shared', ifAvailable: true}, callback)
                .then(v => console.log(name, 'if available', v), e => console.log(name, 'rejects too', String(e)));
          }
          navigator.locks.request('a', 1).catch(e => console.log(e.message));
          navigator.locks.request('-', () => {}).catch(e => console.log(e.message));
          navigator.locks.request('a', {mode: 'none'}, () => {}).catch(e => console.log(e.message));
          navigator.locks.request().catch(e => console.log(e.message));
          LockManager.prototype.request.call({}, 'a', () => {}).catch(e => console.log(e.message));
          navigator.locks.request('a', () => { Promise.reject(new Error('unhandled')); });
          """)),

  NESTED_REQUESTS(
      "inner of inner",
      of(
          """
          navigator.locks.request('a', async a => {
            console.log(a.name, a === await Promise.resolve(a));
            await navigator.locks.request('b', {mode: 'shared'}, async b => {
              console.log(b.name, b.mode);
              await navigator.locks.request('c', () => console.log('inner of inner'));
              const late = navigator.locks.request('a', () => console.log('a again'));
              late.then(() => console.log('late'));
            });
            return 'outer';
          }).then(console.log);
          """)),

  WORKER_WITH_MESSAGES(
      "from the worker 4",
      s ->
          s.resource(
                  "/worker.js",
                  """
                  onmessage = event => navigator.locks.request('a', lock => {
                    postMessage('from the worker ' + event.data);
                    return new Promise(r => setTimeout(r, 1));
                  });
                  addEventListener('message', {handleEvent: e => queueMicrotask(() => console.log('object', e.data))});
                  navigator.locks.query().then(s => postMessage(s.held.length + s.pending.length >= 0));
                  """)
              .window(
                  """
                  const worker = new Worker('/worker.js');
                  worker.onmessage = event => {
                    Promise.resolve().then(() => console.log('after', event.data));
                    console.log(event.data);
                  };
                  for (let i = 0; i < 5; i++) {
                    navigator.locks.request('a', () => { worker.postMessage(i); });
                  }
                  const {port1, port2} = new MessageChannel();
                  port1.onmessage = e => navigator.locks.request('b', () => console.log(e.data)).then(() => port1.close());
                  port2.postMessage('through a port');
                  """)
              .runFor(20)
              .closeWindow(0)
              .runForErrors()),

  FRAMES_AND_CALLBACKS_OF_OTHER_REALMS(
      "callback of the frame",
      s ->
          s.resource(
                  "/frame.html",
                  """
                  <!doctype html><script>
                  navigator.locks.request('a', parent.callback).then(() => console.log('then of the frame'));
                  onmessage = parent.heard;
                  addEventListener('load', parent.heard);
                  queueMicrotask(parent.callback);
                  </script>
                  """)
              .window(
                  """
                  navigator.locks.request('a', () => console.log('the only realm'));
                  function callback() {
                    console.log('callback of the page');
                    Promise.resolve().then(() => console.log('its microtask'));
                  }
                  function heard(event) { console.log('heard', event.type); }
                  const blank = document.createElement('iframe');
                  document.documentElement.append(blank);
                  const ofFrame = new blank.contentWindow.Function('lock', 'top.console.log("callback of the frame", lock?.name)');
                  navigator.locks.request('a', ofFrame);
                  navigator.locks.request('a', {ifAvailable: true}, ofFrame);
                  navigator.locks.request('a', new Proxy(ofFrame, {
                    getPrototypeOf(target) {
                      queueMicrotask(() => console.log('asked'));
                      return Reflect.getPrototypeOf(target);
                    },
                  }));
                  addEventListener('message', ofFrame);
                  postMessage('to myself');
                  requestAnimationFrame(ofFrame);
                  blank.contentWindow.navigator.locks.request('a', () => { blank.remove(); });
                  const frame = document.createElement('iframe');
                  frame.src = '/frame.html';
                  frame.onload = () => {
                    frame.contentWindow.postMessage('to the frame');
                    setTimeout(() => {
                      navigator.locks.request('a', new frame.contentWindow.Function('top.console.log("late")'));
                      frame.remove();
                    }, 5);
                  };
                  document.documentElement.append(frame);
                  """)
              .runForErrors()),

  INTERFACES_AND_EVENTS(
      "made EventTarget",
      of(
          """
          const made = [new EventTarget(), new AbortController(), new Event('x'), new DOMException('m', 'DataError'),
              new URLSearchParams('a=b'), new TextEncoder(), new Blob(['b']), new Headers({a: 'b'}), new MessageChannel()];
          for (const each of made) console.log('made', each.constructor.name, String(each));
          const newer = ['Temporal', 'DisposableStack', 'AsyncDisposableStack', 'SuppressedError']; // from 25.1 on
          console.log(Object.keys(Lock.prototype).join(), Object.getOwnPropertyNames(globalThis).filter(name => !newer.includes(name)).length);
          class Own extends EventTarget {}
          const own = new Own();
          own.addEventListener('x', () => Promise.resolve().then(() => console.log('first')));
          own.addEventListener('x', () => console.log('second'));
          own.dispatchEvent(new CustomEvent('x', {detail: 1}));
          onerror = message => { console.log('reported', message); };
          addEventListener('unhandledrejection', event => console.log('unhandled', event.reason));
          Promise.reject('a reason');
          setTimeout(() => { throw new TypeError('thrown by a timer'); }, 1);
          addEventListener('load', () => console.log('load'));
          document.addEventListener('DOMContentLoaded', {handleEvent() { console.log('content'); }});
          navigator.locks.request('a', lock => {
            console.log(lock instanceof Lock, Object.prototype.toString.call(lock), Reflect.ownKeys(lock).length);
            try { lock.name = 1; new Lock(); } catch (error) { console.log(error.message); }
          });
          navigator.storageBuckets?.open('b').then(async bucket => {
            await bucket.locks.request('a', async () => console.log('bucket', JSON.stringify(await bucket.locks.query())));
            console.log(JSON.stringify(await navigator.locks.query()));
          });
          """)),

  A_FROZEN_PAGE(
      "resumed",
      s -> {
        s.window(
                """
                navigator.locks.request('a', () => console.log('before'));
                document.addEventListener('freeze', () => Promise.resolve().then(() => console.log('frozen')));
                document.addEventListener('resume', () => navigator.locks.request('a', () => console.log('resumed')));
                document.onfreeze = () => console.log('on freeze');
                """)
            .runFor(5);
        s.at(0).freeze();
        s.runFor(5);
        s.at(0).resume();
        s.runForErrors();
      });

  /** A text that the log must contain if the program works as intended. */
  final String reaches;

  private final Consumer<Scenario> steps;

  TracePrograms(String reaches, Consumer<Scenario> steps) {
    this.reaches = reaches;
    this.steps = steps;
  }

  private static Consumer<Scenario> of(String script) {
    return scenario -> scenario.window(script).runForErrors();
  }

  /** Runs the program to its end. */
  void run(Scenario scenario) {
    steps.accept(scenario);
  }

  /** Scripts that several windows run. */
  private static final class Scripts {
    private Scripts() {}

    static final String SHARED_AND_EXCLUSIVE =
        """
        for (let i = 0; i < 15; i++) {
          const mode = i % 4 === 0 ? 'exclusive' : 'shared';
          navigator.locks.request('a', {mode}, async lock => {
            if (i % 3 === 0) await new Promise(r => setTimeout(r, i % 5));
            console.log(lock.mode, i);
          });
        }
        """;

    static final String CONTENDING =
        """
        function again(round) {
          return navigator.locks.request('a', async lock => {
            if (round % 2) await new Promise(r => setTimeout(r, 1));
            console.log(lock.name, 'round', round);
            if (round > 0) again(round - 1);
          });
        }
        again(8);
        navigator.locks.request('only mine', again.bind(null, 2));
        """;
  }
}
