// Moves money between two accounts, each with a lock of its own.
function transfer(from, to) {
  return navigator.locks.request(from, () => navigator.locks.request(to, () => {}));
}

// Takes the locks in the order of their names, so that no two transfers wait for each other.
function transferInOrder(from, to) {
  return from < to ? transfer(from, to) : transfer(to, from);
}
