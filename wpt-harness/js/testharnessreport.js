// The part of testharness.js that WPT leaves to whoever runs the tests. It posts what happens to
// the server of this test, as JSON: a message when this file has run, when a subtest begins, when
// one has its result, and a last one with everything when the page is complete.
"use strict";
(() => {
  setup({
    output: false,
    // Filled in by the server, so that the page's own timer and the harness's agree.
    timeout_multiplier: Number("{{timeout_multiplier}}"),
  });

  // Only the page that was opened reports; frames, and windows that it opens, may well load
  // testharness.js too.
  if (self.parent !== undefined && self.parent !== self || self.opener) {
    return;
  }

  // Tests replace globals: keep those that reporting needs.
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
    // A page whose server is gone has nobody left to tell.
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
