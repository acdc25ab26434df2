import { ApiError } from '@paper/contracts';

const DEPTH_MAX = 32;
const SURROGATES = /[\uD800-\uDFFF]/u;

/**
 * Refuses what no field of ours can mean and what storage cannot hold: NUL and lone surrogates in any text, a name
 * `__proto__` (which schemas may overlook), nesting deeper than any body of ours. `root` names a value at the top.
 * Walks without recursion, so that no depth can exhaust the stack. Throws ApiError validation_failed with the field.
 */
export function assertSafe(value: unknown, root: 'body' | 'query' | 'params'): void {
  const waiting: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, depth } = next;
    if (typeof next.value === 'string') assertText(next.value, path === '' ? root : path);
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (depth >= DEPTH_MAX) fail(root, `nested deeper than ${DEPTH_MAX} levels`);
    for (const [name, inner] of Object.entries(next.value)) {
      assertText(name, path === '' ? root : path);
      if (name === '__proto__') fail(path === '' ? root : path, 'unknown field "__proto__"');
      waiting.push({ value: inner, path: path === '' ? name : `${path}.${name}`, depth: depth + 1 });
    }
  }
}

function assertText(text: string, field: string): void {
  if (text.includes('\u0000')) fail(field, 'must not contain the character NUL');
  // With the u flag a pair is one code point, so only lone surrogates match.
  if (SURROGATES.test(text)) fail(field, 'must not contain half of a surrogate pair');
}

function fail(field: string, what: string): never {
  throw new ApiError('validation_failed', `validation failure: ${field.slice(0, 200)}: ${what}`);
}
