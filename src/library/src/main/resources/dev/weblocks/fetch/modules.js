// Imports a module, and calls onCount after more microtasks than a module without top-level await
// takes. Given only a function, calls it. Uses no built-in that a page can change.
(first, onCount) => {
  if (onCount === undefined) {
    return first();
  }
  const module = import(first);
  (async () => {
    for (let i = 0; i < 3; i++) {
      await undefined;
    }
    onCount();
  })();
  return module;
}
