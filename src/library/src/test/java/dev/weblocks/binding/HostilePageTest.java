package dev.weblocks.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A page that replaces every built-in function, accessor and constructor by one that records the
 * call and throws, and then uses the platform. Our code must call none of these.
 */
class HostilePageTest {

  /** Script that replaces the built-ins; then only syntax and the saved functions are safe. */
  private static final String ARM =
      """
      const hits = [];
      const kept = { apply: Reflect.apply, define: Object.defineProperty, then: Promise.prototype.then, freeze: Object.freeze,
        setProto: Object.setPrototypeOf, show: String, TypeError, RangeError, ArrayBuffer, Uint8Array, Map, Set, Date, RegExp, Error, BigInt,
        desc: Object.getOwnPropertyDescriptor, ctor: { __proto__: null, value: undefined } };
      let armed = false;
      Object.setPrototypeOf(hits, null);
      // Reads a promise without asking it for its constructor.
      function settled(promise, good, bad) {
        kept.define(promise, 'constructor', kept.ctor);
        const args = [];
        kept.setProto(args, null);
        args[0] = good; args[1] = bad;
        kept.apply(kept.then, promise, args);
      }
      let count = 0;
      const shown = { __proto__: null };
      function log(text) { shown[count++] = text; }
      function hit(name) {
        if (armed) {
          armed = false;
          hits[hits.length] = name;
          armed = true;
        }
        throw new kept.RangeError('entered ' + name);
      }
      function trap(object, key, label) {
        const d = kept.desc(object, key);
        if (d !== undefined && !d.configurable) return;
        if (d !== undefined && 'value' in d && typeof d.value !== 'function') return;
        if (d !== undefined && 'value' in d) {
          kept.define(object, key, { __proto__: null, value: function () { hit(label) }, writable: true, enumerable: false, configurable: true });
        } else {
          kept.define(object, key, { __proto__: null, get() { hit('get ' + label) }, set(v) { hit('set ' + label) }, enumerable: false, configurable: true });
        }
      }
      function arm(...alsoAllowed) {
        const names = ['Array', 'Function', 'Promise', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Map', 'WeakMap', 'Set', 'WeakSet',
          'Error', 'TypeError', 'RangeError', 'Date', 'RegExp', 'ArrayBuffer', 'DataView', 'Uint8Array', 'WeakRef', 'Proxy', 'Object'];
        const holders = [];
        for (const name of names) {
          const ctor = globalThis[name];
          holders.push([name, ctor]);
          if (ctor.prototype) holders.push([name + '.prototype', ctor.prototype]);
        }
        holders.push(['Reflect', Reflect], ['Math', Math], ['JSON', JSON],
          ['ArrayIterator.prototype', Object.getPrototypeOf([][Symbol.iterator]())],
          ['TypedArray.prototype', Object.getPrototypeOf(Uint8Array.prototype)]);
        const list = [];
        for (const [label, object] of holders) {
          for (const key of Reflect.ownKeys(object)) {
            if (key === 'prototype' || (label === 'Object.prototype' && key === 'constructor')) continue;
            if (typeof object === 'function' && (key === 'name' || key === 'length')) continue;
            list.push([object, key, label + '.' + String(key)]);
          }
        }
        for (const key of ['get', 'set', 'value', 'enumerable', 'writable', 'configurable', 'done', 'next', 'impl', 'outer', 'text', 'id', 'chain', 'k', 'n', 't', 'default', 'depth', 'resolve', 'reject']) {
          if (!alsoAllowed.includes(key)) list.push([Object.prototype, key, 'Object.prototype.' + key]);
        }
        if (!alsoAllowed.includes('then')) list.push([Object.prototype, 'then', 'Object.prototype.then']);
        for (let i = 0; i < 10; i++) list.push([Array.prototype, String(i), 'Array.prototype[' + i + ']'], [Object.prototype, String(i), 'Object.prototype[' + i + ']']);
        list.push([Error, 'prepareStackTrace', 'Error.prepareStackTrace']);
        for (const name of names) list.push([globalThis, name, name]);
        for (let i = 0; i < list.length; i++) {
          const { 0: object, 1: key, 2: label } = list[i];
          trap(object, key, label);
        }
        armed = true;
      }
      function done() {
        armed = false;
        let text = '';
        for (let i = 0; i < count; i++) text += (i ? '|' : '') + shown[i];
        let all = '';
        for (let i = 0; i < hits.length; i++) all += hits[i] + ' ';
        console.log(text);
        console.log(all);
      }
      """;

  private static void assertUntouched(String expected, String script) {
    assertEquals(List.of(expected, ""), Scenario.logOf(ARM + script));
  }

  private static void assertUntouchedLater(String expected, String script) {
    assertUntouched(
        expected,
        "const later = setTimeout; const soon = () => later(done, 1000);" + script + "; soon();");
  }

  @Test
  void page_of_this_test_records_calls_of_replaced_builtins() {
    assertEquals(
        List.of(
            "", "Array.prototype.map get Array.prototype[3] Promise Symbol.prototype.toString "),
        Scenario.logOf(
            ARM
                + """
                const array = [], symbol = Symbol.iterator;
                const go = f => { try { f() } catch {} };
                arm();
                go(() => array.map(1)); go(() => array[3]); go(() => Promise()); go(() => symbol.toString());
                done();
                """));
  }

  @Test
  void lock_requests_call_no_replaced_builtin() {
    assertUntouchedLater(
        "rejected AbortError|not supported NotSupportedError|granted a exclusive|granted b shared|none|result undefined",
        """
        const locks = navigator.locks;
        const controller = new AbortController();
        arm();
        settled(locks.request('a', lock => { log('granted ' + lock.name + ' ' + lock.mode); }), v => {}, e => {});
        settled(locks.request('b', { mode: 'shared' }, lock => { log('granted ' + lock.name + ' ' + lock.mode); }), v => {}, e => {});
        settled(locks.request('b', { ifAvailable: true }, lock => { log(lock === null ? 'none' : 'some'); }), v => { log('result ' + v) }, e => {});
        settled(locks.request('a', { signal: controller.signal }, lock => { }), v => {}, e => { log('rejected ' + e.name); });
        controller.abort();
        settled(locks.request('-', lock => {}), v => {}, e => { log('not supported ' + e.name); });
        """);
  }

  @Test
  void lock_queries_call_no_replaced_builtin() {
    assertUntouchedLater(
        "a exclusive 1",
        """
        const locks = navigator.locks;
        arm('then'); // a promise that is resolved with an object asks it for `then`, as browsers do
        settled(locks.request('a', lock => {
          settled(locks.query(), s => { log(s.held[0].name + ' ' + s.held[0].mode + ' ' + s.held.length); }, e => { log('failed ' + e.message); });
        }), v => {}, e => {});
        """);
  }

  @Test
  void events_call_no_replaced_builtin() {
    assertUntouched(
        "one object|two object|true|handler error|once object|false",
        """
        const target = new EventTarget(), signal = new AbortController();
        arm();
        target.addEventListener('x', e => { log('one ' + typeof e.target); });
        target.addEventListener('x', { handleEvent(e) { log('two ' + typeof e.composedPath()); } }, { capture: false });
        const removed = () => { log('removed') };
        target.addEventListener('x', removed, true);
        target.removeEventListener('x', removed, true);
        target.addEventListener('x', removed, { signal: signal.signal });
        signal.abort('reason');
        log(target.dispatchEvent(new Event('x')));
        onerror = (message, file, line, column, error) => { log('handler ' + error); return true; };
        target.addEventListener('y', () => { throw 'error'; });
        target.dispatchEvent(new Event('y'));
        target.addEventListener('z', e => { log('once ' + typeof e); e.preventDefault(); }, { once: true });
        log(target.dispatchEvent(new Event('z', { cancelable: true })));
        done();
        """);
  }

  @Test
  void event_subclasses_and_error_handlers_call_no_replaced_builtin() {
    assertUntouched(
        "detail|2|y|data|o 7|true|x|undefined|handler 3|NotSupportedError|reported 5",
        """
        const target = new EventTarget(), { CustomEvent, MessageEvent, ErrorEvent, reportError } = globalThis, page = document;
        let read = Object.getOwnPropertyDescriptor(window, 'event').get;
        arm();
        const custom = new CustomEvent('x', { __proto__: null, detail: 'detail' });
        log(custom.detail); custom.initCustomEvent('y', true, true, 2); log(custom.detail); log(custom.type);
        const message = new MessageEvent('x', { __proto__: null, data: 'data' });
        log(message.data); message.initMessageEvent('z', false, false, null, 'o', '7'); log(message.origin + ' ' + message.lastEventId);
        const created = page.createEvent('Event'); created.initEvent('x');
        target.addEventListener('x', () => { log(read() === created); log(created.type); });
        target.dispatchEvent(created); log(read());
        onerror = (m, f, line) => { log('handler ' + line); return true; };
        dispatchEvent(new ErrorEvent('error', { __proto__: null, lineno: 3 }));
        try { page.createEvent('DragEvent'); } catch (e) { log(e.name); }
        onerror = (m, f, l, c, e) => { log('reported ' + e); return true; };
        reportError(5);
        done();
        """);
  }

  @Test
  void requests_forms_and_readers_call_no_replaced_builtin() {
    assertUntouchedLater(
        "404 GET|a b.txt 1|readystatechange|loadstart 0|abort|load 404 object|loadend|read eA==|1|form c",
        """
        const { XMLHttpRequest, FormData, FileReader, File, Blob, Response, ProgressEvent } = globalThis;
        const parts = { __proto__: null };
        const form = new FormData(), file = new File(['x'], 'b.txt'), blob = new Blob(['x']);
        const body = new Response(form), other = new FormData();
        other.append('c', 'd');
        const filled = new Response(other);
        arm('then');
        const sync = new XMLHttpRequest();
        sync.open('GET', '/x', false); sync.setRequestHeader('a', 'b'); sync.send();
        log(sync.status + ' GET');
        form.append('a', file); form.set('b', 'c'); log('a ' + form.get('a').name + ' ' + form.getAll('b').length);
        const xhr = new XMLHttpRequest();
        xhr.onreadystatechange = e => { if (xhr.readyState === 1) log(e.type); };
        xhr.onloadstart = e => { log('loadstart ' + e.loaded); };
        xhr.onload = e => { log('load ' + xhr.status + ' ' + typeof xhr.response); };
        xhr.onloadend = e => { log(e.type); };
        xhr.responseType = 'arraybuffer'; xhr.timeout = 100; xhr.withCredentials = true; xhr.upload.onload = () => {};
        xhr.open('POST', '/x'); xhr.overrideMimeType('text/plain;charset=latin1'); xhr.send(form);
        const aborted = new XMLHttpRequest();
        aborted.onabort = e => { log(e.type); };
        aborted.open('GET', '/y'); aborted.send(); aborted.abort(); later(read, 50);
        function read() {
          const reader = new FileReader();
          reader.onload = e => { let t = ''; for (let i = 37; i < reader.result.length; i++) t += reader.result[i]; log('read ' + t); log(e.total + ''); };
          reader.readAsDataURL(blob);
          settled(filled.formData(), f => { log('form ' + (f.has('c') ? 'c' : '')); }, e => { log('failed ' + e.message); });
        }
        """);
  }

  @Test
  void aborting_calls_no_replaced_builtin() {
    assertUntouched(
        "true|AbortError|true|true|reason|true",
        """
        const controller = new AbortController(), list = [controller.signal], { AbortSignal } = globalThis;
        const items = { __proto__: null, 0: controller.signal };
        const iterator = { __proto__: null, next: () => ({ __proto__: null, done: n > 0, value: items[n++] }) };
        let n = 0;
        list[Symbol.iterator] = () => iterator;
        arm();
        const any = AbortSignal.any(list);
        controller.abort();
        log(any.aborted); log(any.reason.name); log(any.reason === controller.signal.reason);
        try { any.throwIfAborted(); } catch (e) { log(e === any.reason); }
        log(AbortSignal.abort('reason').reason);
        log(AbortSignal.timeout(5).aborted === false);
        done();
        """);
  }

  @Test
  void timers_microtasks_and_reports_call_no_replaced_builtin() {
    assertUntouchedLater(
        "handled TypeError|handled text|microtask|timer a b|handled from timer",
        """
        const error = new TypeError('t');
        arm();
        onerror = (message, file, line, column, error) => { log('handled ' + (typeof error === 'string' ? error : 'TypeError')); return true; };
        setTimeout((a, b) => { log('timer ' + a + ' ' + b); throw 'from timer'; }, 1, 'a', 'b');
        clearTimeout(setInterval(() => {}, 5));
        queueMicrotask(() => { log('microtask'); });
        reportError(error);
        reportError('text');
        """);
  }

  @Test
  void errors_call_no_replaced_builtin() {
    assertUntouched(
        "NotFoundError m 8|InvalidStateError|type",
        """
        const target = new EventTarget();
        arm();
        const e = new DOMException('m', 'NotFoundError');
        log(e.name + ' ' + e.message + ' ' + e.code);
        const event = new Event('x');
        target.addEventListener('x', () => { try { target.dispatchEvent(event); } catch (e) { log(e.name); } });
        target.dispatchEvent(event);
        try { target.dispatchEvent({ __proto__: null }); } catch (e) { log('type'); }
        done();
        """);
  }

  @Test
  void documents_call_no_replaced_builtin() {
    assertUntouched(
        "1 0,length TITLE|object TITLE|loading|object true",
        """
        const { ownKeys } = Reflect;
        const titles = document.getElementsByTagName('title'), page = document;
        arm();
        log(titles.length + ' ' + (0 in titles ? '0,length' : '') + ' ' + titles[0].tagName);
        log(typeof kept.desc(titles, '0').value + ' ' + titles.item(0).nodeName);
        log(page.readyState);
        log(typeof titles.item(1) + ' ' + (kept.desc(titles, 'x') === undefined));
        done();
        """);
  }

  @Test
  void structured_cloning_calls_no_replaced_builtin() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.resource("/w.js", "onmessage = e => postMessage(e.data)");
      scenario.window(
          ARM
              + """
              const worker = new Worker('/w.js');
              const value = { n: 1, s: 's', u: undefined, list: [1, , 3], map: new Map([[1, new Set([2])]]), date: new Date(5), re: /x/gi,
                bytes: new Uint8Array([1, 2]), error: new RangeError('r'), big: 5n, nul: null, boxed: Object(true) };
              value.self = value;
              const mapGet = Map.prototype.get, setHas = Set.prototype.has;
              const one = [1], two = [2];
              one.__proto__ = null; two.__proto__ = null;
              let n = 0;
              worker.onmessage = e => {
                const v = e.data;
                log(v.n + v.s + v.u + ' ' + v.list.length + v.list[2] + ' ' + kept.apply(setHas, kept.apply(mapGet, v.map, one), two)
                  + ' ' + v.bytes[1] + v.bytes.length0 + (v.nul === null) + (v.self === v) + (typeof v.big) + ' ' + (kept.desc(v.error, 'message').value));
                done();
              };
              arm();
              worker.postMessage(value);
              try { worker.postMessage(() => {}); } catch (e) { log(e.name); }
              """);
      assertEquals(
          List.of("DataCloneError|1sundefined 33 true 2undefinedtruetruebigint r", ""),
          scenario.run());
    }
  }

  @Test
  void fetching_calls_no_replaced_builtin() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.resource("/data.json", "{\"a\": [1]}");
      scenario.window(
          ARM
              + """
              const later = setTimeout;
              arm('then');
              settled(fetch('/data.json'), r => {
                log(r.status + ' ' + r.ok);
                settled(r.json(), v => { log(v.a[0]); }, e => { log('failed ' + e.message); });
              }, e => { log('failed ' + e.message); });
              settled(fetch('http://'), r => {}, e => { log('type error'); });
              later(done, 1000);
              """);
      assertEquals(List.of("type error|200 true|1", ""), scenario.run());
    }
  }

  @Test
  void blobs_call_no_replaced_builtin() {
    assertUntouchedLater(
        "4 a/b|é!x|true 195|xé!",
        """
        const bad = e => { log('failed ' + e); };
        const key = Symbol.iterator;
        const parts = (...list) => {
          kept.setProto(list, null);
          let i = 0;
          return {__proto__: null, [key]: () => ({__proto__: null,
            next: () => ({__proto__: null, done: i === list.length, value: list[i++]})})};
        };
        const buffer = new Uint8Array([33]);
        arm('then');
        const blob = new Blob(parts('é', buffer, 'x'), {__proto__: null, type: 'A/B'});
        log(blob.size + ' ' + blob.type);
        settled(blob.text(), log, bad);
        settled(blob.arrayBuffer(), b => {
          settled(blob.bytes(), u => {
            log((b instanceof kept.ArrayBuffer) + ' ' + u[0]);
            settled(new Blob(parts(blob.slice(3), blob.slice(0, -1))).text(), log, bad);
          }, bad);
        }, bad);
        """);
  }

  @Test
  void responses_and_headers_call_no_replaced_builtin() {
    assertUntouchedLater(
        "201 text/plain;charset=UTF-8 1, 2|a=1, 2;b=3|{\"a\":1}|1|https://one.test/x|é",
        """
        const bad = e => { log('failed ' + e); };
        arm('then');
        const r = new Response('é', {__proto__: null, status: 201, headers: {__proto__: null, b: 3}});
        r.headers.append('a', '1'); r.headers.append('A', '2');
        log(r.status + ' ' + r.headers.get('content-type') + ' ' + r.headers.get('a'));
        let text = '';
        const copy = r.clone().headers;
        copy.delete('content-type');
        copy.forEach((value, name) => { text += (text ? ';' : '') + name + '=' + value; });
        log(text);
        settled(Response.json({__proto__: null, a: 1}).text(), t => {
          log(t);
          settled(new Response(t).json(), v => {
            log(v.a);
            log(Response.redirect('/x').headers.get('location'));
            settled(r.text(), log, bad);
          }, bad);
        }, bad);
        """);
  }

  @Test
  void unhandled_rejections_call_no_replaced_builtin() {
    assertUntouchedLater(
        "reason",
        """
        onunhandledrejection = e => { log(e.reason); e.preventDefault(); };
        arm();
        (async () => { throw 'reason'; })();
        """);
  }

  @Test
  void uncaught_error_is_inspected_without_running_its_accessors() {
    assertUntouchedLater(
        "Uncaught Error: plain",
        """
        const error = new Error('plain');
        onerror = (message, file, line, column, error) => { log(message); return true; };
        kept.define(error, 'stack', { get() { hit('own stack') }, configurable: true });
        arm();
        reportError(error);
        """);
  }
}
