'use strict';
// Draws the recordings of the page: lanes of agents with their turns and lock requests, and arrows
// for the effects of one request on another. Text of the recorded scripts is inserted into the page
// only as text, never as markup.
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const AXIS = 30;
  const OVERVIEW = 44;
  const COLORS = 8;
  const MANY_ARROWS = 500;

  // ---- elements ------------------------------------------------------------------------------

  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith('on')) {
        element.addEventListener(name.slice(2), value);
      } else if (value !== false && value !== undefined && value !== null) {
        element.setAttribute(name, value === true ? '' : String(value));
      }
    }
    element.append(...children.filter((child) => child !== undefined && child !== null));
    return element;
  };
  const h = (name, attributes = {}, ...children) =>
      fill(document.createElement(name), attributes, children);
  const s = (name, attributes = {}, ...children) =>
      fill(document.createElementNS(SVG, name), attributes, children);

  // ---- names and texts -----------------------------------------------------------------------

  const time = (nanos) => {
    const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs']];
    for (const [unit, name] of units) {
      if (Math.abs(nanos) >= unit) {
        return `${Number((nanos / unit).toPrecision(4))} ${name}`;
      }
    }
    return nanos === 0 ? '0' : `${nanos} ns`;
  };
  const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
  const cut = (text, width, letter = 6.3) => {
    const room = Math.floor(width / letter);
    return text.length <= room ? text : room < 2 ? '' : `${text.slice(0, room - 1)}…`;
  };

  // ---- a recording ---------------------------------------------------------------------------

  /** A recording with derived data: the effects of each step, and positions on the time axis. */
  class Recording {
    constructor(data) {
      Object.assign(this, data);
      const {steps} = this;
      this.count = steps.count;
      this.effects = Array.from({length: this.count}, () => []);
      for (let i = 0; i < this.count; i++) {
        if (steps.cause[i] >= 0) {
          this.effects[steps.cause[i]].push(i);
        }
      }
      this.requests.forEach((request, number) => {
        request.number = number;
        request.color = `lock${request.lock % COLORS}`;
        request.name = this.locks[request.lock].name;
      });
      this.turns = this.turns.map(([lane, first, last, end, over], number) =>
          ({number, lane, first, last, end, over: over === 1}));
      this.turnAt = new Map(this.turns.map((turn) => [turn.first, turn]));
      for (const lane of this.lanes) {
        lane.turns = [];
        lane.bars = [];
      }
      this.turns.forEach((turn) => this.lanes[turn.lane].turns.push(turn));
      // a request of an ended client is never queued, and has no bar
      this.bars = this.requests.filter((request) => request.queued >= 0 || request.over >= 0);
      this.bars.forEach((request) => this.lanes[request.lane].bars.push(request));
      this.last = this.count === 0 ? 0 : Math.max(
          steps.time[this.count - 1], ...this.lanes.map((lane) => lane.turns.at(-1)?.end ?? 0));
      this.takesTime = this.last > 0;
      this.unit = this.typicalGap();
      this.order = this.inOrder();
      this.thieves = new Map(this.arrows.filter((arrow) => arrow.type === 'steal')
          .map((arrow) => [arrow.target, arrow.source]));
    }

    /** Returns the median time between successive steps at different times. */
    typicalGap() {
      const gaps = [];
      for (let i = 1; i < this.count; i++) {
        const gap = this.steps.time[i] - this.steps.time[i - 1];
        if (gap > 0) {
          gaps.push(gap);
        }
      }
      gaps.sort((a, b) => a - b);
      return gaps.length === 0 ? 1 : gaps[gaps.length >> 1];
    }

    /** Returns positions by step, with more room where more time passes. */
    inOrder() {
      const places = new Float64Array(this.count + 1);
      for (let i = 1; i <= this.count; i++) {
        const gap = i === this.count ? this.unit : this.steps.time[i] - this.steps.time[i - 1];
        const longer = gap > this.unit ? Math.min(7, 1.1 * Math.log10(gap / this.unit)) : 0;
        places[i] = places[i - 1] + (gap <= 0 ? 0.6 : 1 + longer);
      }
      return places;
    }

    isJump(i) {
      const gap = this.steps.time[i] - this.steps.time[i - 1];
      return gap >= 1e6 && gap > 50 * this.unit;
    }

    laneName(number) {
      return number < 0 ? 'somebody' : this.lanes[number].name;
    }

    action(i) {
      return this.steps.action[i] < 0 ? '' : this.actions[this.steps.action[i]];
    }

    kind(i) {
      return this.kinds[this.steps.kind[i]];
    }

    /** Returns the lane that shows a step: that of its client if it has one, otherwise its own. */
    owner(i) {
      return this.steps.agent[i] >= 0 ? this.steps.agent[i] : this.steps.lane[i];
    }

    describe(i) {
      const request = this.requests[this.steps.request[i]];
      const lock = request === undefined ? 'a lock' : `‘${request.name}’`;
      const who = this.laneName(request === undefined ? this.steps.agent[i] : request.lane);
      const isOver = request !== undefined && request.over >= 0 && request.over < i;
      switch (this.action(i)) {
        case 'asked':
          return `${who} requests ${lock}` +
              (request === undefined ? '' :
                  (request.mode === 'shared' ? ', shared' : '') +
                  {wait: '', if_available: ', if available', steal: ', and steals it'}[
                      request.wait]);
        case 'queued':
          return `its request is queued ${request?.wait === 'steal' ? 'first' : 'last'} for` +
              ` ${lock}`;
        case 'proceeded': return 'grantable requests proceed';
        case 'granted': return `${who} is granted ${lock}`;
        case 'missed': return `${lock} is not free: ${who} gets null`;
        case 'stolen': return `${who} loses ${lock}: it is stolen`;
        case 'given_back':
          return `${who} returns ${lock}${isOver ? ', which it has already lost' : ''}`;
        case 'released':
          return `${lock} is released${request?.clientEnded ? ': its client has ended' : ''}`;
        case 'settled': return `${who} is notified: ${lock} was released`;
        case 'withdrawn':
          return `${who} withdraws its request for ${lock}${isOver ? ', which is over' : ''}`;
        case 'aborted':
          return `its request leaves the queue of ${lock}` +
              (request?.clientEnded ? ': its client has ended' : '');
        case 'rejected': return `${who} is notified: its request for ${lock} was aborted`;
        case 'forced':
          return `${who} releases by force the locks on ‘${this.texts[this.steps.text[i]]}’`;
        case 'force_released': return `${who} loses ${lock}: it is released by force`;
        case 'client_ended': return `a client ends: ${who}`;
        case 'queried': return `${who} queries the held locks and the waiting requests`;
        case 'answered': return `${who} gets the query result`;
        default:
          return this.kind(i) === 'checkpoint' ? `${this.laneName(this.steps.lane[i])}: microtasks`
              : `${this.laneName(this.steps.lane[i])}: ${this.texts[this.steps.text[i]]}`;
      }
    }

    /** Returns the task that a step belongs to, or that caused it. */
    taskOf(i) {
      let at = i;
      while (at >= 0 && this.kind(at) !== 'task') {
        at = this.steps.cause[at];
      }
      return at;
    }

    thiefOf(request) {
      return this.requests[this.thieves.get(request.number)];
    }

    outcome(request) {
      const from = request.granted >= 0 ? request.granted : request.asked;
      const till = request.over >= 0 ? this.steps.time[request.over] : this.last;
      const span = time(till - this.steps.time[from]);
      if (request.granted >= 0) {
        const ended = request.clientEnded ? ', until its client ended' : '';
        switch (request.outcome) {
          case 'released': return ['released', `held for ${span}${ended}`];
          case 'stolen':
            return ['stolen', `stolen by ${this.laneName(this.thiefOf(request)?.lane ?? -1)} after` +
                ` ${span}`];
          case 'force_released': return ['stolen', `released by force after ${span}`];
          default: return ['open', `still held, for ${span}`];
        }
      }
      switch (request.outcome) {
        case 'aborted':
          return ['aborted', request.clientEnded ? `its client ended after ${span}`
              : `aborted after ${span}`];
        case 'missed': return ['missed', 'not available'];
        default: return ['forever', `waits, for ${span} so far`];
      }
    }
  }

  // ---- state ---------------------------------------------------------------------------------

  const sources = [...document.querySelectorAll('script.recording')];
  const read = new Map();
  const recordingAt = (number) => {
    if (!read.has(number)) {
      read.set(number, new Recording(JSON.parse(sources[number].textContent)));
    }
    return read.get(number);
  };
  const titles = sources.map((source) => {
    const found = /^\{"title":("(?:[^"\\]|\\.)*")/.exec(source.textContent);
    return found === null ? '' : JSON.parse(found[1]);
  });
  const options = new URLSearchParams(location.hash.slice(1));

  let rec;
  let axis = options.get('axis') === 'time' ? 'time' : 'order';
  let showTurns = true;
  let view = {from: 0, scale: 1};
  let rows = {lanes: [], height: 0, gutter: 120, bar: 20, turn: 12, small: false};
  let hot; // the object under the pointer: {type, number}
  let chosen; // the object described in the panel
  let words = [];
  let matches = {requests: new Set(), turns: new Set(), list: []};
  let matchAt = -1;

  // ---- the frame of the page -----------------------------------------------------------------

  const title = h('h1');
  const facts = h('ul', {class: 'facts'});
  const cycles = h('div');
  const chooser = h('select', {'aria-label': 'Recording', onchange: () => open(chooser.value)});
  const search = h('input', {
    type: 'search',
    placeholder: 'Search lock, agent, task…',
    'aria-label': 'Search',
    oninput: () => find(),
    onkeydown: (event) => {
      if (event.key === 'Enter') {
        event.preventDefault();
        nextMatch(event.shiftKey ? -1 : 1);
      } else if (event.key === 'Escape') {
        search.value = '';
        find();
        chart.focus();
      }
    },
  });
  const found = h('output', {'aria-live': 'polite'});
  const pressed = (text, tip, onclick) =>
      h('button', {type: 'button', title: tip, 'aria-pressed': 'false', onclick}, text);
  const inOrder = pressed('Order', 'Equal space for each step (t)', () => setAxis('order'));
  const inTime = pressed('Time', 'Space in proportion to time (t)', () => setAxis('time'));
  const turnsShown = pressed('Turns', 'Show the turns of agents', () => {
    showTurns = !showTurns;
    arrange();
  });
  const overview = s('svg', {class: 'overview', 'aria-hidden': 'true'});
  const ruler = s('svg', {class: 'axis', 'aria-hidden': 'true'});
  const plot = s('svg', {class: 'plot', role: 'img'});
  const scroll = h('div', {class: 'scroll'}, plot);
  const tip = h('div', {class: 'tip', hidden: true, role: 'tooltip'});
  const chart = h(
      'div',
      {class: 'chart', tabindex: '0', role: 'application', 'aria-label': 'Timeline'},
      overview, ruler, scroll, tip);
  const panel = h('aside', {class: 'panel', hidden: true, 'aria-label': 'Selection'});

  const sample = (...children) => s('svg', {viewBox: '0 0 30 14', 'aria-hidden': 'true'}, ...children);
  const key = (text) => h('kbd', {}, text);

  const legend = () => h(
      'footer', {class: 'legend'},
      h('span', {}, sample(s('rect', {
        class: 'wait lock0', x: 1, y: 1, width: 28, height: 12, rx: 3, style: 'fill: url(#wait0)'})),
      'waits'),
      h('span', {}, sample(s('rect', {
        class: 'held lock0', x: 1, y: 1, width: 28, height: 12, rx: 3})), 'holds'),
      h('span', {}, sample(s('rect', {
        class: 'held shared lock0', x: 1, y: 1, width: 28, height: 12, rx: 3})), 'holds, shared'),
      h('span', {}, arrowSample('grant'), 'unblocks'),
      h('span', {}, arrowSample('steal'), 'steals, or releases by force'),
      h('span', {}, arrowSample('abort'), 'aborts'),
      h('span', {}, arrowSample('waits'), 'still waits for'),
      h('span', {class: 'keys'},
          key('←'), key('→'), ' pan ', key('+'), key('−'), ' zoom ', key('0'), ' all ',
          key(','), key('.'), ' step by step ', key('/'), ' search ', key('t'), ' axis'));
  const arrowSample = (type) => sample(
      s('path', {class: `arrow ${type}`, d: 'M1 7H22'}),
      s('path', {class: `head ${type}`, d: 'M21 2.5 29 7 21 11.5Z'}));

  const build = () => {
    document.body.prepend(
        h('header', {class: 'top'}, title, facts, cycles),
        h('div', {class: 'tools'},
            chooser, search, found, h('span', {class: 'space'}),
            turnsShown,
            h('span', {class: 'group', role: 'group', 'aria-label': 'Axis'}, inOrder, inTime),
            h('span', {class: 'group', role: 'group', 'aria-label': 'Zoom'},
                h('button', {type: 'button', title: 'Zoom out (−)', onclick: () => zoom(1 / 1.5)}, '−'),
                h('button', {type: 'button', title: 'Show all (0)', onclick: () => fit()}, 'All'),
                h('button', {type: 'button', title: 'Zoom in (+)', onclick: () => zoom(1.5)}, '+')),
            h('button', {type: 'button', title: 'Light or dark (d)', onclick: () => otherTheme()}, '◐')),
        h('div', {class: 'main'}, chart, panel),
        legend());
    titles.forEach((text, number) =>
      chooser.append(h('option', {value: number}, text || `Recording ${number + 1}`)));
    chooser.hidden = sources.length < 2;
    if (options.get('theme') === 'dark' || options.get('theme') === 'light') {
      document.documentElement.style.colorScheme = options.get('theme');
    }
  };

  const otherTheme = () => {
    const root = document.documentElement;
    const dark = root.style.colorScheme === '' ?
        matchMedia('(prefers-color-scheme: dark)').matches : root.style.colorScheme === 'dark';
    root.style.colorScheme = dark ? 'light' : 'dark';
  };

  const open = (number) => {
    rec = recordingAt(Number(number));
    hot = undefined;
    choose(undefined);
    document.title = `${rec.title || 'Weblocks'} · trace`;
    title.replaceChildren(rec.title || 'Trace', h('small', {}, rec.note));
    tellFacts();
    tellCircles();
    inTime.hidden = !rec.takesTime;
    inOrder.hidden = !rec.takesTime;
    if (!rec.takesTime) {
      axis = 'order';
    }
    arrange();
    showEnd();
    find();
  };

  const tellFacts = () => {
    const fact = (count, one, many, kind = '') => count === 0 ? undefined :
        h('li', {class: kind}, h('b', {}, String(count)), ` ${count === 1 ? one : many}`);
    const among = (outcome) => rec.requests.filter((each) => each.outcome === outcome).length;
    const waiting = rec.bars.filter((each) => each.granted < 0 && each.over < 0).length;
    const all = [
      fact(rec.lanes.filter((lane) => lane.type !== 'queue').length, 'agent', 'agents'),
      fact(rec.locks.length, 'lock', 'locks'),
      fact(rec.requests.length, 'request', 'requests'),
      fact(rec.requests.filter((each) => each.granted >= 0).length, 'grant', 'grants'),
      fact(among('stolen'), 'stolen', 'stolen', 'steal'),
      fact(among('force_released'), 'released by force', 'released by force', 'steal'),
      fact(among('aborted'), 'aborted', 'aborted', 'abort'),
      fact(among('missed'), 'not available', 'not available'),
      fact(waiting, 'still waiting', 'still waiting', 'steal'),
      fact(rec.count, 'step', 'steps'),
      rec.takesTime ? h('li', {}, 'in ', h('b', {}, time(rec.last))) : undefined,
    ];
    facts.replaceChildren(...all.filter((each) => each !== undefined));
  };

  const tellCircles = () => {
    cycles.replaceChildren(...rec.cycles.map((cycle) => h(
        'p', {class: 'circle'}, h('b', {}, 'Cycle of waits: '),
        cycle.map(([waiter, holder]) => {
          const request = rec.requests[waiter];
          const held = rec.requests[holder];
          const who = rec.laneName(held.lane);
          return `${rec.laneName(request.lane)} waits for ‘${request.name}’` +
              (held.lock === request.lock ? `, which ${who} holds` :
                `, and so for ${who}, which holds ‘${held.name}’`);
        }).join('; '), '.')));
  };

  // ---- layout --------------------------------------------------------------------------------

  const place = (i) => axis === 'order' ? rec.order[i] : rec.steps.time[Math.min(i, rec.count - 1)];
  const length = () => Math.max(axis === 'order' ? rec.order[rec.count] : rec.last, 1);
  const width = () => plot.clientWidth || 800;
  /** Returns the right margin, which has room for the arrows of requests still waiting at the end. */
  const margin = () => rec.waits.length > 0 ? 90 : 26;
  const room = () => Math.max(50, width() - rows.gutter - margin());
  const x = (at) => rows.gutter + 8 + (at - view.from) * view.scale;
  const xOf = (i) => x(place(i));
  const barBegin = (request) => place(request.asked);
  const barEnd = (request) => request.over >= 0 ? place(request.over) : length();
  const turnEnd = (turn) => axis === 'order' ?
      place(turn.last) + Math.min(0.8, rec.order[turn.last + 1] - rec.order[turn.last]) :
      turn.over ? turn.end : rec.last;

  /** Computes the height of each lane, and a row for each request without overlaps. */
  const arrange = () => {
    const lanes = rec.lanes.length;
    const bar = lanes <= 14 ? 20 : lanes <= 45 ? 15 : 11;
    const turn = !showTurns ? 0 : lanes <= 14 ? 11 : lanes <= 45 ? 8 : 5;
    const small = bar < 15;
    const gap = small ? 2 : 4;
    const pad = small ? 3 : 6;
    let y = 0;
    const placed = rec.lanes.map((lane) => {
      const ends = [];
      const locks = [];
      for (const request of lane.bars) {
        const begin = rec.order[request.asked];
        const end = request.over >= 0 ? rec.order[request.over] + 0.5 : Infinity;
        const free = (row) => ends[row] <= begin;
        let row = locks.findIndex((lock, each) => lock === request.lock && free(each));
        row = row >= 0 ? row : ends.findIndex((_, each) => free(each));
        row = row >= 0 ? row : ends.length;
        ends[row] = end;
        locks[row] = request.lock;
        request.row = row;
      }
      const hasTurns = lane.turns.length > 0 && (turn > 0 || lane.type === 'queue');
      const turnHeight = hasTurns ? Math.max(turn, lane.type === 'queue' ? 8 : 0) : 0;
      const height = Math.max(
          small ? 15 : 24,
          2 * pad + turnHeight + (turnHeight > 0 && ends.length > 0 ? gap : 0) +
              ends.length * bar + Math.max(0, ends.length - 1) * gap);
      const top = y;
      y += height;
      const first = top + pad + (turnHeight > 0 ? turnHeight + gap : 0);
      return {lane, top, height, turnTop: top + pad, turnHeight, barTop: (row) =>
        first + row * (bar + gap)};
    });
    const longest = Math.max(8, ...rec.lanes.map((lane) => lane.name.length));
    rows = {
      lanes: placed,
      height: y,
      gutter: Math.min(Math.max(96, 26 + longest * (small ? 5.6 : 6.6)), 240, width() * 0.4),
      bar,
      turn,
      small,
    };
    plot.setAttribute('height', y + 6);
    plot.setAttribute('class', small ? 'plot small' : 'plot');
    plot.setAttribute('aria-label', `${counted(rec.lanes.length, 'lane')}, ` +
        `${counted(rec.requests.length, 'request')}`);
    turnsShown.setAttribute('aria-pressed', String(showTurns));
    inOrder.setAttribute('aria-pressed', String(axis === 'order'));
    inTime.setAttribute('aria-pressed', String(axis === 'time'));
    redraw();
  };

  const barY = (request) => rows.lanes[request.lane].barTop(request.row) + rows.bar / 2;
  const turnY = (lane) => rows.lanes[lane].turnTop + rows.lanes[lane].turnHeight / 2;

  const setAxis = (next) => {
    const [first, last] = seen();
    axis = next;
    arrange();
    show(place(first), place(last));
  };

  /** Returns the first and the last visible step. */
  const seen = () => {
    let first = 0;
    while (first < rec.count - 1 && place(first + 1) <= view.from) {
      first++;
    }
    let last = first;
    while (last < rec.count - 1 && place(last) < view.from + room() / view.scale) {
      last++;
    }
    return [first, last];
  };

  const show = (from, to) => {
    const span = Math.max(to - from, length() / 1e7, axis === 'order' ? 2 : 1);
    view = {from, scale: room() / span};
    clamp();
    redraw();
  };

  const fit = () => show(0, length());

  /** Shows the requests that wait at the end, preferably those in a cycle; all if there are none. */
  const showEnd = () => {
    const stuck = rec.cycles.length > 0 ? rec.cycles.flat() : rec.waits;
    if (stuck.length === 0) {
      fit();
    } else {
      const first = Math.min(...stuck.flat().map((number) => rec.requests[number].asked));
      const span = length() - place(first);
      show(Math.max(0, place(first) - span / 4), length());
    }
  };

  const clamp = () => {
    const least = room() / length();
    const most = axis === 'order' ? 160 : room() / Math.max(4, rec.unit / 4);
    view.scale = Math.min(Math.max(view.scale, least), Math.max(most, least));
    view.from = Math.min(Math.max(view.from, 0), Math.max(0, length() - room() / view.scale));
  };

  const zoom = (factor, at = rows.gutter + 8 + room() / 2) => {
    const fixed = view.from + (at - rows.gutter - 8) / view.scale;
    view.scale *= factor;
    clamp();
    view.from = fixed - (at - rows.gutter - 8) / view.scale;
    clamp();
    redraw();
  };

  const pan = (pixels) => {
    view.from += pixels / view.scale;
    clamp();
    redraw();
  };

  /** Scrolls a step of a lane into view. */
  const reveal = (i, lane) => {
    const at = place(i);
    const span = room() / view.scale;
    if (at < view.from + span * 0.05 || at > view.from + span * 0.95) {
      view.from = at - span / 2;
      clamp();
    }
    const row = rows.lanes[lane];
    if (row !== undefined &&
        (row.top < scroll.scrollTop || row.top + row.height > scroll.scrollTop + scroll.clientHeight)) {
      scroll.scrollTop = row.top - scroll.clientHeight / 3;
    }
    redraw();
  };

  // ---- drawing -------------------------------------------------------------------------------

  let planned = false;
  const redraw = () => {
    if (!planned) {
      planned = true;
      requestAnimationFrame(() => {
        planned = false;
        draw();
      });
    }
  };

  const definitions = () => {
    const patterns = [];
    for (let i = 0; i < COLORS; i++) {
      patterns.push(s(
          'pattern',
          {id: `wait${i}`, class: `lock${i}`, width: 7, height: 7, patternUnits: 'userSpaceOnUse',
            patternTransform: 'rotate(45)'},
          s('rect', {class: 'hatch-back', width: 7, height: 7}),
          s('path', {class: 'hatch', d: 'M0 0V7'})));
    }
    patterns.push(s(
        'pattern',
        {id: 'endless', width: 5, height: 5, patternUnits: 'userSpaceOnUse',
          patternTransform: 'rotate(45)'},
        s('path', {class: 'endless-line', d: 'M0 0V5'})));
    return s('defs', {}, ...patterns, s('clipPath', {id: 'right'}, s('rect', {
      x: rows.gutter, y: 0, width: Math.max(0, width() - rows.gutter), height: rows.height + 6})));
  };

  const isOff = (set, number) => words.length > 0 && !set.has(number);
  const isHot = (type, number) => hot !== undefined && hot.type === type && hot.number === number;
  const isChosen = (type, number) =>
    chosen !== undefined && chosen.type === type && chosen.number === number;

  const draw = () => {
    if (rec === undefined) {
      return;
    }
    const top = scroll.scrollTop - 40;
    const bottom = top + scroll.clientHeight + 80;
    const to = view.from + (width() - rows.gutter) / view.scale;
    const backs = s('g');
    const things = s('g', {'clip-path': 'url(#right)'});
    const names = s('g');
    drawJumps(things, 0, rows.height + 6);
    rows.lanes.forEach((row, number) => {
      if (row.top + row.height < top || row.top > bottom) {
        return;
      }
      backs.append(
          s('rect', {class: number % 2 === 0 ? 'lane' : 'lane odd', x: 0, y: row.top,
            width: width(), height: row.height}),
          s('line', {class: 'lane-line', x1: 0, x2: width(), y1: row.top + row.height - 0.5,
            y2: row.top + row.height - 0.5}));
      drawTurns(things, row, to);
      drawBars(things, row, to);
      drawName(names, row, number);
    });
    const arrows = s('g', {'clip-path': 'url(#right)'});
    drawArrows(arrows, top, bottom, to);
    names.prepend(s('line', {class: 'gutter-line', x1: rows.gutter - 0.5, x2: rows.gutter - 0.5,
      y1: 0, y2: Math.max(rows.height, scroll.clientHeight)}));
    plot.replaceChildren(definitions(), backs, things, arrows, names);
    drawAxis(to);
    drawOverview();
  };

  const jumps = () => {
    if (axis !== 'order') {
      return [];
    }
    if (rec.jumps === undefined) {
      rec.jumps = [];
      for (let i = 1; i < rec.count; i++) {
        if (rec.isJump(i)) {
          rec.jumps.push(i);
        }
      }
    }
    return rec.jumps;
  };

  const drawJumps = (parent, y1, y2) => {
    for (const i of jumps()) {
      const at = Math.round(x((rec.order[i - 1] + rec.order[i]) / 2 + 0.2)) + 0.5;
      if (at > rows.gutter && at < width()) {
        parent.append(s('line', {class: 'jump', x1: at, x2: at, y1, y2}));
      }
    }
    if (chosen !== undefined && chosen.step !== undefined) {
      const at = Math.round(xOf(chosen.step)) + 0.5;
      parent.append(s('line', {class: 'cursor', x1: at, x2: at, y1, y2}));
    }
  };

  const drawTurns = (parent, row, to) => {
    if (row.turnHeight === 0) {
      return;
    }
    const {lane} = row;
    const begin = lane.begun >= 0 ? Math.max(rows.gutter, xOf(lane.begun)) : rows.gutter;
    const end = lane.ended >= 0 ? xOf(lane.ended) : width();
    const middle = row.turnTop + row.turnHeight / 2;
    if (end > begin) {
      parent.append(s('line', {class: 'life', x1: begin, x2: end, y1: middle, y2: middle}));
    }
    let drawn = -Infinity;
    for (const turn of lane.turns) {
      const first = place(turn.first);
      if (first > to) {
        break;
      }
      const left = x(first);
      const right = x(turnEnd(turn));
      if (right < rows.gutter || right < drawn + 0.7) {
        continue;
      }
      const wide = Math.max(right - left, 2);
      drawn = left + wide;
      parent.append(s('rect', {
        class: `turn ${rec.action(turn.first)}${turn.over ? '' : ' endless'}` +
            `${isOff(matches.turns, turn.number) ? ' dim' : ''}` +
            `${isHot('turn', turn.number) ? ' hot' : ''}` +
            `${isChosen('turn', turn.number) ? ' chosen' : ''}`,
        x: left, y: row.turnTop, width: wide, height: row.turnHeight, rx: 2,
        'data-type': 'turn', 'data-number': turn.number,
      }));
      const from = Math.max(left, rows.gutter);
      const visible = left + wide - from;
      if (visible > 60 && row.turnHeight >= 10) {
        const text = cut(rec.action(turn.first).replace('_', ' ') ||
            rec.texts[rec.steps.text[turn.first]], visible - 8, 5.6);
        parent.append(s('text', {class: `turn-label ${lane.type}`, x: from + 4,
          y: middle + 3.5}, text));
      }
    }
    if (lane.ended >= 0 && end > rows.gutter && end < width()) {
      parent.append(
          s('rect', {class: 'mark ended', x: end - 2, y: middle - 5, width: 4, height: 10, rx: 1}),
          s('text', {class: 'gone', x: end + 6, y: middle + 4}, 'ended'));
    }
  };

  const drawBars = (parent, row, to) => {
    for (const request of row.lane.bars) {
      const first = barBegin(request);
      const last = barEnd(request);
      if (first > to || x(last) < rows.gutter - 8) {
        continue;
      }
      const group = s('g', {
        class: `${request.color}${isOff(matches.requests, request.number) ? ' dim' : ''}` +
            `${isHot('request', request.number) ? ' hot' : ''}`,
        'data-type': 'request', 'data-number': request.number,
      });
      drawBar(group, request, row.barTop(request.row), x(first), x(last));
      parent.append(group);
    }
  };

  const drawBar = (group, request, top, left, right) => {
    const high = rows.bar;
    const middle = top + high / 2;
    const picked = isChosen('request', request.number) ? ' chosen' : '';
    if (request.outcome === 'missed') {
      group.append(
          s('circle', {class: `miss${picked}`, cx: left + 5, cy: middle, r: Math.min(5, high / 2 - 1)}),
          s('path', {class: 'open-end', d: `M${left + 2} ${middle + 3}L${left + 8} ${middle - 3}`}));
      if (!rows.small && view.scale > 14) {
        group.append(s('text', {class: 'bar-label wait-label', x: left + 14, y: middle + 4},
            request.name.length > 14 ? `${request.name.slice(0, 13)}…` : request.name));
      }
      return;
    }
    const granted = request.granted >= 0;
    const turned = granted ? xOf(request.granted) : right;
    if (request.waited || !granted) {
      const forever = !granted && request.over < 0;
      const wide = Math.max((granted ? turned : right) - left, 3);
      group.append(s('rect', {
        class: `wait${forever ? ' forever' : ''}${granted ? '' : picked}`,
        style: `fill: url(#wait${request.lock % COLORS})`,
        x: left, y: top + 0.5, width: wide, height: high - 1, rx: Math.min(4, high / 4),
      }));
      drawLabel(group, left, wide, middle, forever ? `waits for ${request.name}` : request.name, true);
    }
    if (granted) {
      const begin = request.waited ? turned : left;
      const wide = Math.max(right - begin, 3);
      group.append(s('rect', {
        class: `held ${request.mode}${picked}`,
        x: begin, y: top + 0.5, width: wide, height: high - 1, rx: Math.min(4, high / 4),
      }));
      drawLabel(group, begin, wide, middle,
          request.mode === 'shared' ? `${request.name} · shared` : request.name, false);
    }
    drawEnd(group, request, middle, right);
  };

  const drawLabel = (group, left, wide, middle, text, waiting) => {
    const from = Math.max(left, rows.gutter);
    const letter = rows.small ? 5.2 : 6.4;
    const shown = cut(text, left + wide - from - 12, letter);
    if (shown === '' || (shown.length < 3 && shown !== text)) {
      return;
    }
    if (waiting) {
      group.append(s('rect', {class: 'plate', x: from + 4, y: middle - rows.bar / 2 + 2,
        width: shown.length * letter + 6, height: rows.bar - 4, rx: 3}));
    }
    group.append(s('text', {
      class: `bar-label ${waiting ? 'wait-label' : 'held-label'}`,
      x: from + 7, y: middle + (rows.small ? 3 : 4),
    }, shown));
  };

  const drawEnd = (group, request, middle, right) => {
    const size = rows.small ? 4 : 6;
    if (request.over < 0) {
      group.append(s('path', {class: 'open-end',
        d: `M${right + 4} ${middle - 4}L${right + 8} ${middle}L${right + 4} ${middle + 4}`}));
    } else if (request.clientEnded) {
      group.append(s('rect', {class: 'mark ended', x: right - size / 2, y: middle - size,
        width: size, height: 2 * size, rx: 1}));
    } else if (['stolen', 'force_released', 'aborted'].includes(request.outcome)) {
      const arm = size * 0.4;
      group.append(
          s('circle', {class: `mark ${request.outcome}`, cx: right, cy: middle, r: size}),
          s('path', {class: 'cross', d: `M${right - arm} ${middle - arm}l${2 * arm} ${2 * arm}` +
              `m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`}));
    }
  };

  const drawName = (parent, row, number) => {
    const {lane} = row;
    let depth = 0;
    for (let each = lane.parent; each >= 0 && depth < 4; each = rec.lanes[each].parent) {
      depth++;
    }
    const left = 10 + (depth > 0 && rec.lanes[lane.parent].type !== 'queue' ? 10 * depth : 0);
    const middle = row.height < 34 ? row.top + row.height / 2 + 4 : row.top + 18;
    parent.append(
        s('rect', {class: number % 2 === 0 ? 'lane' : 'lane odd', x: 0, y: row.top,
          width: rows.gutter - 1, height: row.height - 1}),
        s('text', {class: `lane-name ${lane.type}`, x: left, y: middle},
            s('title', {}, `${lane.actor} ${lane.url}`.trim()),
            cut(lane.name, rows.gutter - left - 6, rows.small ? 5.4 : 6.5)));
    if (row.height >= 38 && lane.name !== lane.actor) {
      parent.append(s('text', {class: 'lane-note', x: left, y: middle + 14},
          cut(lane.actor, rows.gutter - left - 6, 6)));
    }
  };

  // ---- arrows --------------------------------------------------------------------------------

  /** Returns a curve that starts rightwards and ends rightwards, steeply if mostly vertical. */
  const curve = (x1, y1, x2, y2) => {
    const bend = Math.min(60, Math.max(14, Math.abs(x2 - x1) / 2, Math.abs(y2 - y1) / 5));
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  };

  const arrowLine = (type, d, x2, y2, extra, number, leftwards = false) => {
    const attributes = number === undefined ? {} : {'data-type': 'arrow', 'data-number': number};
    const head = leftwards ? `M${x2 - 1} ${y2}l8 -4v8Z` : `M${x2 + 1} ${y2}l-8 -4v8Z`;
    return s('g', {class: extra, ...attributes},
        s('path', {class: 'arrow-hit', d}),
        s('path', {class: `arrow ${type}${extra.includes('hot') ? ' hot' : ''}`, d}),
        s('path', {class: `head ${type}`, d: head}));
  };

  const arrowEnds = (arrow) => {
    const target = rec.requests[arrow.target];
    const y2 = barY(target);
    const x2 = xOf(arrow.to) - (arrow.type === 'grant' ? 0 : rows.small ? 4 : 6);
    if (arrow.source < 0) { // from a turn
      const lane = rec.steps.lane[arrow.from];
      return [xOf(arrow.from) + 2, showTurns ? turnY(lane) : rows.lanes[lane].top + 3, x2, y2];
    }
    const source = rec.requests[arrow.source];
    return [xOf(arrow.from), barY(source), x2, y2];
  };

  const concerns = (arrow, what) =>
    what !== undefined &&
      (what.type === 'request' && (arrow.source === what.number || arrow.target === what.number) ||
        what.type === 'turn' && rec.turns[what.number].first === arrow.from);

  const drawArrows = (parent, top, bottom, to) => {
    const within = [];
    rec.arrows.forEach((arrow, number) => {
      if (rec.requests[arrow.target].row === undefined ||
          arrow.source >= 0 && rec.requests[arrow.source].row === undefined) {
        return;
      }
      if (place(arrow.from) > to || place(arrow.to) < view.from) {
        return;
      }
      const ends = arrowEnds(arrow);
      if (Math.max(ends[1], ends[3]) >= top && Math.min(ends[1], ends[3]) <= bottom) {
        within.push({arrow, number, ends});
      }
    });
    const many = within.length > MANY_ARROWS;
    for (const {arrow, number, ends: [x1, y1, x2, y2]} of within) {
      const lit = isHot('arrow', number) || concerns(arrow, hot) || concerns(arrow, chosen);
      if (many && arrow.type === 'grant' && !lit) {
        continue;
      }
      const off = words.length > 0 && !matches.requests.has(arrow.target) &&
          !matches.requests.has(arrow.source);
      parent.append(arrowLine(
          arrow.type, curve(x1, y1, x2, y2), x2, y2, `${lit ? 'hot' : ''}${off ? ' dim' : ''}`, number));
    }
    const right = x(length());
    rec.waits.forEach(([waiter, holder]) => {
      const from = rec.requests[waiter];
      const onto = rec.requests[holder];
      if (right < rows.gutter || right > width()) {
        return;
      }
      const y1 = barY(from);
      const y2 = barY(onto);
      const bulge = Math.min(88, 24 + Math.abs(y2 - y1) / 3);
      const start = right + 13;
      const d = `M${start} ${y1}C${start + bulge} ${y1} ${start + bulge} ${y2} ${start + 5} ${y2}`;
      parent.append(arrowLine('waits', d, start, y2, '', undefined, true));
    });
    drawCauses(parent);
  };

  /** Links the requesting turn to the bar, and the bar to the turns that the request caused. */
  const drawCauses = (parent) => {
    const what = hot?.type === 'request' ? hot : chosen?.type === 'request' ? chosen : undefined;
    if (what === undefined || !showTurns) {
      return;
    }
    const request = rec.requests[what.number];
    const task = rec.taskOf(request.asked);
    if (task >= 0 && rows.lanes[rec.steps.lane[task]].turnHeight > 0) {
      link(parent, xOf(task), turnY(rec.steps.lane[task]), xOf(request.asked), barY(request));
    }
    for (const i of request.steps) {
      if (rec.kind(i) === 'task' && rows.lanes[rec.steps.lane[i]].turnHeight > 0) {
        link(parent, xOf(rec.steps.cause[i]), barY(request), xOf(i), turnY(rec.steps.lane[i]));
      }
    }
  };

  const link = (parent, x1, y1, x2, y2) =>
    parent.append(arrowLine('link', curve(x1, y1, x2, y2), x2, y2, '', undefined));

  // ---- axis and overview ---------------------------------------------------------------------

  const drawAxis = (to) => {
    const parts = [s('rect', {class: 'gutter', width: width(), height: AXIS})];
    const taken = [];
    const isFree = (left, right) => taken.every(([from, till]) => right < from || left > till);
    for (const i of jumps()) {
      const at = x((rec.order[i - 1] + rec.order[i]) / 2 + 0.2);
      const text = `+${time(rec.steps.time[i] - rec.steps.time[i - 1])}`;
      const half = text.length * 3.4 + 5;
      if (at - half > rows.gutter && at + half < width() && isFree(at - half, at + half)) {
        taken.push([at - half, at + half]);
        parts.push(
            s('rect', {class: 'jump-back', x: at - half, y: 5, width: 2 * half, height: 19, rx: 9}),
            s('text', {class: 'time jump-label', x: at, y: 18.5, 'text-anchor': 'middle'}, text));
      }
    }
    const label = (at, text) => {
      const right = at + text.length * 6.4 + 12;
      parts.push(s('line', {class: 'tick', x1: at, x2: at, y1: 20, y2: AXIS}));
      if (at >= rows.gutter && right < width() && isFree(at - 3, right)) {
        taken.push([at - 3, right]);
        parts.push(s('text', {class: 'time', x: at + 3, y: 18}, text));
      }
    };
    if (axis === 'order') {
      const least = 74 / view.scale;
      let last = -Infinity;
      let written;
      for (let i = 0; i < rec.count; i++) {
        const at = rec.order[i];
        const text = rec.takesTime ? time(rec.steps.time[i]) : `step ${rec.steps.id[i]}`;
        if (at >= view.from && at <= to && at - last >= least && text !== written) {
          last = at;
          written = text;
          label(Math.round(x(at)) + 0.5, text);
        }
      }
    } else {
      const about = 90 / view.scale;
      const power = 10 ** Math.floor(Math.log10(about));
      const step = Math.max(1, [1, 2, 5, 10].map((each) => each * power).find((each) => each >= about));
      for (let at = Math.ceil(view.from / step) * step; at <= to; at += step) {
        label(Math.round(x(at)) + 0.5, time(at));
      }
    }
    parts.push(
        s('rect', {class: 'gutter', width: rows.gutter - 1, height: AXIS}),
        s('text', {class: 'time', x: 10, y: 19}, axis === 'order' ? 'step by step' : 'time'),
        s('line', {class: 'gutter-line', x1: rows.gutter - 0.5, x2: rows.gutter - 0.5, y1: 0,
          y2: AXIS}));
    ruler.replaceChildren(...parts);
  };

  const drawOverview = () => {
    const wide = width();
    const at = (where) => 8 + (where / length()) * (wide - 16);
    const parts = [];
    const shown = rec.lanes.length;
    const high = (OVERVIEW - 10) / Math.max(1, shown);
    rec.lanes.forEach((lane, number) => {
      const y = 5 + number * high;
      let drawn = -1;
      for (const turn of lane.turns) {
        const left = Math.round(at(place(turn.first)));
        if (left > drawn) {
          drawn = left;
          parts.push(s('rect', {class: 'mini-turn', x: left, y: y + high * 0.1, width: 1,
            height: Math.max(0.6, high * 0.25)}));
        }
      }
      drawn = -1;
      for (const request of lane.bars) {
        const left = at(barBegin(request));
        const right = Math.max(at(barEnd(request)), left + 1);
        if (right <= drawn) {
          continue;
        }
        drawn = right;
        const turned = request.granted >= 0 ? at(place(request.granted)) : right;
        const y0 = y + high * 0.35;
        const tall = Math.max(1, high * 0.55);
        if (turned > left) {
          parts.push(s('rect', {class: `mini waiting ${request.color}`, x: left, y: y0,
            width: turned - left, height: tall}));
        }
        if (right > turned) {
          parts.push(s('rect', {class: `mini ${request.color}`, x: turned, y: y0,
            width: right - turned, height: tall}));
        }
        if (request.outcome === 'stolen' || request.outcome === 'force_released') {
          parts.push(s('rect', {class: 'mini bad', x: right - 1, y: y0 - 1, width: 2,
            height: tall + 2}));
        }
      }
    });
    const left = at(view.from);
    const right = at(Math.min(length(), view.from + room() / view.scale));
    parts.push(s('rect', {class: 'window', x: left, y: 1.5, width: Math.max(4, right - left),
      height: OVERVIEW - 3, rx: 4}));
    overview.replaceChildren(...parts);
  };

  // ---- the panel -----------------------------------------------------------------------------

  const stepItem = (i, now, pick) => {
    const spec = rec.specs[rec.steps.spec[i]];
    const text = rec.describe(i);
    return h(
        'li', {class: now ? 'now' : ''},
        h('span', {class: 'at'}, time(rec.steps.time[i])),
        pick ? h('button', {type: 'button', onclick: () => pickStep(i)}, text) : text,
        spec === undefined ? undefined : h('a', {
          class: 'spec', href: spec.link, target: '_blank', rel: 'noopener noreferrer',
        }, `${spec.section} ${spec.algorithm}, step ${spec.step}`));
  };

  const tellRequest = (number, pick) => {
    const request = rec.requests[number];
    const [kind, text] = rec.outcome(request);
    const {manager, names} = rec.locks[request.lock];
    const waited = request.waited ? ` · waited ${time(
        rec.steps.time[request.granted] - rec.steps.time[request.asked])}` : '';
    return [
      h('h2', {class: request.color}, h('span', {class: 'swatch'}), request.name),
      h('p', {class: 'sub'}, `${request.mode}${
        {wait: '', if_available: ', if available', steal: ', steals'}[request.wait]} · ` +
          `${rec.laneName(request.lane)} · request ${request.id}` +
          (names === undefined ? '' : ` · one lock for ${names} names`)),
      request.position === undefined ? undefined : h('p', {class: 'sub'}, `at ${request.position}`),
      manager === undefined ? undefined : h('p', {class: 'sub'}, `in ${manager}`),
      h('p', {class: `outcome ${kind}`}, `${text}${waited}`),
      h('ul', {class: 'steps'}, ...request.steps.map((i) => stepItem(i, false, pick))),
    ];
  };

  const tellStep = (i, pick) => {
    const turn = rec.turnAt.get(i);
    const took = turn === undefined ? '' : turn.over ?
        ` · took ${time(turn.end - rec.steps.time[i])}` : ' · never ended';
    const above = [];
    for (let each = rec.steps.cause[i]; each >= 0 && above.length < 12; each = rec.steps.cause[each]) {
      above.push(each);
    }
    const below = rec.effects[i];
    const some = pick ? 40 : 5;
    return [
      h('h2', {}, rec.describe(i)),
      h('p', {class: 'sub'}, `${rec.kind(i).replace('_', ' ')} · step ${rec.steps.id[i]} · at ` +
          `${time(rec.steps.time[i])}${took}`),
      h('ul', {class: 'steps'}, stepItem(i, true, false)),
      above.length === 0 ? undefined : h('h3', {}, 'caused by'),
      above.length === 0 ? undefined :
          h('ul', {class: 'steps'}, ...above.slice(0, pick ? 12 : 3).map((each) =>
            stepItem(each, false, pick))),
      below.length === 0 ? undefined : h('h3', {}, 'leads to'),
      below.length === 0 ? undefined :
          h('ul', {class: 'steps'}, ...below.slice(0, some).map((each) => stepItem(each, false, pick)),
              below.length > some ? h('li', {}, `and ${below.length - some} more`) : undefined),
    ];
  };

  const tell = (what, pick) => {
    switch (what.type) {
      case 'request': return tellRequest(what.number, pick);
      case 'turn': return tellStep(rec.turns[what.number].first, pick);
      case 'step': return tellStep(what.number, pick);
      default: {
        const arrow = rec.arrows[what.number];
        return [
          h('h2', {}, {grant: 'unblocks', steal: 'steals', force: 'releases by force',
            abort: 'aborts'}[arrow.type]),
          h('ul', {class: 'steps'}, stepItem(arrow.from, false, pick), stepItem(arrow.to, true, pick)),
        ];
      }
    }
  };

  const choose = (what) => {
    chosen = what;
    panel.hidden = what === undefined;
    if (what !== undefined) {
      what.step ??= what.type === 'request' ? undefined :
          what.type === 'turn' ? rec.turns[what.number].first :
          what.type === 'step' ? what.number : rec.arrows[what.number].to;
      panel.replaceChildren(
          h('button', {class: 'close', type: 'button', 'aria-label': 'Close', onclick: () => {
            choose(undefined);
            chart.focus();
          }}, '×'),
          ...tell(what, true).filter((each) => each !== undefined));
      panel.scrollTop = 0;
    }
    hideTip();
    afterResize();
  };

  const pickStep = (i) => {
    const turn = rec.turnAt.get(i);
    choose(turn === undefined ? {type: 'step', number: i} : {type: 'turn', number: turn.number});
    reveal(i, rec.owner(i));
  };

  // ---- the tip -------------------------------------------------------------------------------

  let hiding;
  const hideTip = () => {
    clearTimeout(hiding);
    tip.hidden = true;
    if (hot !== undefined) {
      hot = undefined;
      redraw();
    }
  };
  const hideTipSoon = () => {
    clearTimeout(hiding);
    hiding = setTimeout(hideTip, 220);
  };

  const showTip = (what, event) => {
    clearTimeout(hiding);
    if (hot !== undefined && hot.type === what.type && hot.number === what.number) {
      return;
    }
    hot = what;
    redraw();
    tip.replaceChildren(...tell(what, false).filter((each) => each !== undefined));
    tip.hidden = false;
    const box = chart.getBoundingClientRect();
    const left = Math.min(event.clientX - box.left + 14, box.width - tip.offsetWidth - 8);
    const under = event.clientY - box.top + 18;
    const over = event.clientY - box.top - tip.offsetHeight - 12;
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${under + tip.offsetHeight < box.height || over < 4 ?
        Math.min(under, Math.max(4, box.height - tip.offsetHeight - 4)) : over}px`;
  };

  const thing = (event) => {
    const element = event.target instanceof Element ? event.target.closest('[data-type]') : null;
    return element === null ? undefined :
        {type: element.dataset.type, number: Number(element.dataset.number)};
  };

  // ---- search --------------------------------------------------------------------------------

  const find = () => {
    words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    matches = {requests: new Set(), turns: new Set(), list: []};
    matchAt = -1;
    if (words.length > 0) {
      const fits = (text) => {
        const lower = text.toLowerCase();
        return words.every((word) => lower.includes(word));
      };
      for (const request of rec.bars) {
        const [kind] = rec.outcome(request);
        if (fits(`${request.name} ${rec.laneName(request.lane)} ${request.mode} ${request.wait} ` +
            `${kind} ${request.position ?? ''} ${request.client ?? ''} #${request.id}`)) {
          matches.requests.add(request.number);
          matches.list.push({type: 'request', number: request.number, at: request.asked});
        }
      }
      for (const turn of rec.turns) {
        if (fits(`${rec.laneName(turn.lane)} ${rec.describe(turn.first)}`)) {
          matches.turns.add(turn.number);
          matches.list.push({type: 'turn', number: turn.number, at: turn.first});
        }
      }
      matches.list.sort((a, b) => a.at - b.at);
    }
    found.textContent = words.length === 0 ? '' : counted(matches.list.length, 'match', 'matches');
    redraw();
  };

  const nextMatch = (by) => {
    const {list} = matches;
    if (list.length > 0) {
      matchAt = (matchAt + by + list.length) % list.length;
      found.textContent = `${matchAt + 1} of ${list.length}`;
      const {type, number, at} = list[matchAt];
      choose({type, number});
      reveal(at, type === 'request' ? rec.requests[number].lane : rec.turns[number].lane);
    }
  };

  // ---- mouse and keyboard --------------------------------------------------------------------

  const stepBy = (by) => {
    const now = chosen?.step ?? (chosen?.type === 'request' ? rec.requests[chosen.number].asked : -1);
    pickStep(Math.min(Math.max(now + by, 0), rec.count - 1));
  };

  const keys = {
    ArrowLeft: () => pan(-room() / 6),
    ArrowRight: () => pan(room() / 6),
    ArrowUp: () => scroll.scrollBy(0, -60),
    ArrowDown: () => scroll.scrollBy(0, 60),
    PageUp: () => scroll.scrollBy(0, -scroll.clientHeight),
    PageDown: () => scroll.scrollBy(0, scroll.clientHeight),
    Home: () => pan(-Infinity),
    End: () => pan(1e15),
    '+': () => zoom(1.5),
    '=': () => zoom(1.5),
    '-': () => zoom(1 / 1.5),
    '−': () => zoom(1 / 1.5),
    0: () => fit(),
    '.': () => stepBy(1),
    ',': () => stepBy(-1),
    '/': () => search.focus(),
    t: () => setAxis(axis === 'order' ? 'time' : 'order'),
    d: () => otherTheme(),
    Escape: () => choose(undefined),
  };

  const listen = () => {
    document.addEventListener('keydown', (event) => {
      const typing = event.target instanceof Element && event.target.matches('input, select');
      const action = keys[event.key];
      if (action !== undefined && !typing && !event.ctrlKey && !event.metaKey && !event.altKey &&
          rec !== undefined && rec.count > 0) {
        event.preventDefault();
        action();
      }
    });
    chart.addEventListener('wheel', (event) => {
      if (tip.contains(event.target)) {
        return;
      }
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const isFull = scroll.scrollHeight <= scroll.clientHeight + 1;
      if (event.ctrlKey || event.metaKey || event.altKey || (isFull && !sideways)) {
        event.preventDefault();
        zoom(Math.exp(-event.deltaY / 400), event.clientX - plot.getBoundingClientRect().left);
      } else if (sideways) {
        event.preventDefault();
        pan(event.deltaX + (event.shiftKey ? event.deltaY : 0));
      }
      hideTip();
    }, {passive: false});
    scroll.addEventListener('scroll', redraw);
    let drag;
    scroll.addEventListener('pointerdown', (event) => {
      if (event.button === 0) {
        drag = {x: event.clientX, y: event.clientY, moved: false, what: thing(event)};
      }
    });
    window.addEventListener('pointermove', (event) => {
      if (drag === undefined) {
        return;
      }
      const dx = event.clientX - drag.x;
      const dy = event.clientY - drag.y;
      if (drag.moved || Math.hypot(dx, dy) > 4) {
        drag.moved = true;
        scroll.classList.add('dragging');
        hideTip();
        pan(-dx);
        scroll.scrollTop -= dy;
        drag.x = event.clientX;
        drag.y = event.clientY;
      }
    });
    window.addEventListener('pointerup', () => {
      if (drag !== undefined && !drag.moved) {
        choose(drag.what);
      }
      drag = undefined;
      scroll.classList.remove('dragging');
    });
    scroll.addEventListener('pointerover', (event) => {
      const what = drag === undefined ? thing(event) : undefined;
      if (what === undefined) {
        hideTipSoon();
      } else {
        showTip(what, event);
      }
    });
    scroll.addEventListener('pointerleave', hideTipSoon);
    tip.addEventListener('pointerenter', () => clearTimeout(hiding));
    tip.addEventListener('pointerleave', hideTipSoon);
    const jump = (event) => {
      const box = overview.getBoundingClientRect();
      const at = ((event.clientX - box.left - 8) / (box.width - 16)) * length();
      view.from = at - room() / view.scale / 2;
      clamp();
      redraw();
    };
    overview.addEventListener('pointerdown', (event) => {
      overview.setPointerCapture(event.pointerId);
      jump(event);
    });
    overview.addEventListener('pointermove', (event) => {
      if (event.buttons !== 0) {
        jump(event);
      }
    });
    new ResizeObserver(afterResize).observe(chart);
  };

  let sized = 0;
  /** Keeps the visible range when the width changes. */
  const afterResize = () => {
    if (rec !== undefined && rec.count > 0 && width() !== sized) {
      const [from, span] = [view.from, (sized - rows.gutter - margin()) / view.scale];
      const before = sized;
      sized = width();
      arrange();
      show(from, before === 0 ? length() : from + span);
    }
    redraw();
  };

  build();
  if (sources.length === 0) {
    title.textContent = 'Nothing was recorded';
  } else {
    sized = width();
    open(Math.min(Math.max(0, Number(options.get('recording')) - 1 || 0), sources.length - 1));
    chooser.value = String(Math.max(0, Number(options.get('recording')) - 1 || 0));
    listen();
    if (options.get('search') !== null) {
      search.value = options.get('search');
      find();
    }
    if (options.get('request') !== null) {
      const number = rec.requests.findIndex((each) => String(each.id) === options.get('request'));
      if (number >= 0) {
        choose({type: 'request', number});
        reveal(rec.requests[number].asked, rec.requests[number].lane);
      }
    }
    chart.focus();
  }
})();
