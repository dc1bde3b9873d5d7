// The prelude, part 7 in a realm that the embedder owns: what realm.js makes that of a browser is left
// alone.

function fixPrototypes() {}
