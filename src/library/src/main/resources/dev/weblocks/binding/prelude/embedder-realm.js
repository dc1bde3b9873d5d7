// In place of realm.js in a realm that the embedder owns: without the changes that imitate a browser.

export function fixPrototypes() {}
