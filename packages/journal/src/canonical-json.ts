const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The RFC 8785 (JCS) text of a value: keys sorted by UTF-16 code units, no white space, numbers and strings as
 * ECMAScript prints them. A key whose value is undefined is left out, as JSON.stringify does.
 *
 * @throws TypeError for what JSON cannot say without loss: NaN, infinities, lone surrogates, functions, BigInts.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      if (LONE_SURROGATE.test(value)) throw new TypeError('a lone surrogate has no canonical JSON text');
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON text`);
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value as Readonly<Record<string, unknown>>);
    default:
      throw new TypeError(`a ${typeof value} has no JSON text`);
  }
}

function canonicalArray(items: readonly unknown[]): string {
  return `[${items.map(canonicalJson).join(',')}]`;
}

function canonicalObject(object: Readonly<Record<string, unknown>>): string {
  let text = '';
  // The default sort compares UTF-16 code units, which is the order that the RFC asks for.
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${canonicalJson(key)}:${canonicalJson(value)}`;
  }
  return `{${text}}`;
}
