// Runs the tests of the locks of wa-sqlite, SQLite in the browser, with the framework that they are
// written for. Both are npm packages, unchanged.
const load = src => new Promise((resolve, reject) => {
  const script = document.createElement('script');
  Object.assign(script, {src, onload: resolve, onerror: reject});
  document.body.append(script);
});
await load('node_modules/jasmine-core/lib/jasmine-core/jasmine.js');
const jasmine = jasmineRequire.core(jasmineRequire);
const env = jasmine.getEnv();
Object.assign(globalThis, {jasmine}, jasmineRequire.interface(jasmine, env));
await import('@journeyapps/wa-sqlite/test/WebLocksMixin.test.js');
const count = {passed: 0, failed: 0};
env.configure({random: false});
env.addReporter({
  specDone(spec) {
    count[spec.status]++;
    console.log(spec.status + ':', spec.fullName);
    spec.failedExpectations.forEach(failure => console.error(failure.message));
  },
});
await env.execute();
console.log(`${count.passed} passed, ${count.failed} failed`);
