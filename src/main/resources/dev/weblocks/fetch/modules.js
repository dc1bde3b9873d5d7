// Imports a module, and tells when more microtasks have run than a module without top-level await
// takes. Given a function alone, calls it. Nothing here is looked up in what a page can change.
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
