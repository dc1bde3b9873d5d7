// The part of testharness.js that WPT leaves to the embedder. It posts messages to the server of this
// test, as JSON: when this file has run, when a subtest begins, when a subtest has its result, and a
// last one with all results when the page is complete.
"use strict";
(() => {
  setup({
    output: false,
    // Set by the server, so that the timers of the page and of the harness agree.
    timeout_multiplier: Number("{{timeout_multiplier}}"),
  });

  // Only the top-level page reports; frames, and windows that it opens, may also load
  // testharness.js.
  if (self.parent !== undefined && self.parent !== self || self.opener) {
    return;
  }

  // Tests replace globals, so keep those needed for reporting.
  const send = self.fetch;
  const stringify = JSON.stringify;
  const {apply} = Reflect;
  const {then} = Promise.prototype;
  const endpoint = location.origin + "/weblocks/results";
  const page = location.href;
  const text = (value) => (value === null || value === undefined ? null : `${value}`);

  const post = (message) => {
    message.page = page;
    const sent = send(endpoint, {method: "POST", body: stringify(message)});
    // If the server is gone, the report is dropped.
    apply(then, sent, [undefined, () => {}]);
  };
  const subtest = (test) => ({
    name: text(test.name),
    status: test.status,
    message: text(test.message),
  });

  post({type: "loaded"});
  add_test_state_callback((test) => {
    if (test.phase <= test.phases.STARTED) {
      post({
        type: "state",
        name: text(test.name),
        started: test.phase === test.phases.STARTED,
      });
    }
  });
  add_result_callback((test) => post({type: "result", subtest: subtest(test)}));
  add_completion_callback((tests, status) =>
    post({
      type: "completion",
      status: status.status,
      message: text(status.message),
      subtests: tests.map(subtest),
    }));
})();
