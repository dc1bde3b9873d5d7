// Runs before all other scripts of a crashtest, whose page loads no test harness. Posts two messages
// to the server of this test, as JSON: one at once, and one when the page has completed. That is after
// its load event, as soon as its root element does not have the class "test-wait" (any more).
"use strict";
(() => {
  // Only the top-level page reports, not its workers, frames and the windows that it opens.
  if (self.document === undefined || self.opener ||
      self.parent !== undefined && self.parent !== self) {
    return;
  }

  // The page may replace globals, so keep those needed for reporting.
  const send = self.fetch;
  const {setTimeout, Event} = self;
  const {stringify} = JSON;
  const {apply} = Reflect;
  const {then} = Promise.prototype;
  const {exec} = RegExp.prototype;
  const {getAttribute} = Element.prototype;
  const {addEventListener, dispatchEvent} = EventTarget.prototype;
  const endpoint = location.origin + "/weblocks/results";
  const page = location.href;
  const waiting = /(^|[\t\n\f\r ])test-wait($|[\t\n\f\r ])/;
  const pause = 20; // ms

  const post = (type) => {
    const sent = send(endpoint, {method: "POST", body: stringify({page, type})});
    // If the server is gone, the report is dropped.
    apply(then, sent, [undefined, () => {}]);
  };
  const waits = (root) => {
    const names = root === null ? null : apply(getAttribute, root, ["class"]);
    return names !== null && apply(exec, waiting, [names]) !== null;
  };
  const look = (root) => {
    if (waits(root)) {
      setTimeout(look, pause, root);
    } else {
      post("crashtest");
    }
  };

  post("loaded");
  apply(addEventListener, self, ["load", () => {
    const root = self.document.documentElement;
    // Tasks queued by the load event run before the page counts as complete.
    setTimeout(() => {
      // Some tests begin only at this event.
      if (waits(root)) {
        apply(dispatchEvent, root, [new Event("TestRendered", {bubbles: true})]);
      }
      look(root);
    }, pause);
  }]);
})();
