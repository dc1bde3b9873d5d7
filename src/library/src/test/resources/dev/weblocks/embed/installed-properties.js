// Writes every property of the global object that is not the language's, and of all objects of
// interfaces and namespaces: one line each.
{
  const language = new Set(LANGUAGE_GLOBALS);
  const out = [];
  const seen = new Map([
    [globalThis, 'globalThis'],
    [Object.prototype, 'Object.prototype'],
    [Function.prototype, 'Function.prototype'],
    [Error.prototype, 'Error.prototype'],
  ]);
  const keyText = (key) => (typeof key === 'symbol' ? key.description.replace('Symbol.', '@@') : key);
  const flags = (d) => (d.writable ? 'w' : '-') + (d.enumerable ? 'e' : '-') + (d.configurable ? 'c' : '-');
  const fn = (f) => (f === undefined ? 'none' : `${JSON.stringify(f.name)}/${f.length}`);
  const text = (value, path) => {
    if (typeof value === 'function' || (typeof value === 'object' && value !== null)) {
      if (seen.has(value)) {
        return `= ${seen.get(value)}`;
      }
      seen.set(value, path);
      return typeof value === 'function' ? `function ${fn(value)}` : Object.prototype.toString.call(value);
    }
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  };
  const object = (value, path, keys = Reflect.ownKeys(value)) => {
    const proto = Object.getPrototypeOf(value);
    out.push(`${path} : ${proto === null ? 'null' : (seen.get(proto) ?? Object.prototype.toString.call(proto))}`);
    for (const key of keys) {
      const d = Object.getOwnPropertyDescriptor(value, key);
      const name = `${path}.${keyText(key)}`;
      out.push(
        'value' in d
          ? `  ${keyText(key)} ${flags(d)} ${text(d.value, name)}`
          : `  ${keyText(key)} ${flags(d)} get ${fn(d.get)} set ${fn(d.set)}`,
      );
    }
  };
  const global = Object.getOwnPropertyNames(globalThis).filter((key) => !language.has(key)).sort();
  const interfaces = global.filter((key) => typeof globalThis[key] === 'function' && globalThis[key].prototype && globalThis[key].name === key);
  for (const name of interfaces) {
    seen.set(globalThis[name], name);
    seen.set(globalThis[name].prototype, `${name}.prototype`);
  }
  object(globalThis, 'globalThis', global);
  for (const name of interfaces) {
    object(globalThis[name], name);
    object(globalThis[name].prototype, `${name}.prototype`);
  }
  object(console, 'console');
  console.log(out.join('\n'));
}
