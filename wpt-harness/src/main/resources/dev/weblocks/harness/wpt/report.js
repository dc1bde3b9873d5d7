'use strict';
// Filters the tests on the page of a report. Without this script the page shows all tests.
(() => {
  const form = document.querySelector('.filter');
  const input = form.querySelector('input');
  const output = form.querySelector('output');
  const buttons = [...form.querySelectorAll('button')];
  const directories = [...document.querySelectorAll('.directory')].map(
      (element) => ({element, tests: [...element.querySelectorAll('.test')]}));
  const texts = new WeakMap(); // computing the text of a test is slow
  let show = '';

  const textOf = (test) => {
    if (!texts.has(test)) {
      const directory = test.closest('.directory').querySelector('h3').textContent;
      texts.set(test, `${directory}/${test.textContent}`.toLowerCase());
    }
    return texts.get(test);
  };

  const update = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let total = 0;
    let shown = 0;
    for (const {element, tests} of directories) {
      let any = false;
      for (const test of tests) {
        const fits = (show === '' || test.dataset.is.split(' ').includes(show)) &&
            words.every((word) => textOf(test).includes(word));
        test.hidden = !fits;
        any ||= fits;
        total++;
        shown += fits ? 1 : 0;
      }
      element.hidden = !any;
    }
    const tests = total === 1 ? 'test' : 'tests';
    output.textContent = shown === total ? `${total} ${tests}` : `${shown} of ${total} ${tests}`;
  };

  for (const button of buttons) {
    button.addEventListener('click', () => {
      show = button.dataset.show;
      for (const each of buttons) {
        each.setAttribute('aria-pressed', String(each === button));
      }
      update();
    });
  }
  let timer;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(update, 150);
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  update();
})();
