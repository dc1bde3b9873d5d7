// The prelude, part 7 in a realm that the embedder owns: without the changes of realm.js, which
// imitate a browser.

function fixPrototypes() {}
