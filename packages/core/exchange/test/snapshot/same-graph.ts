/** Caches: their content can be derived from other properties. */
const CACHES = new Set(['lastMarket', 'lastPosition']);

/** Idempotency-Keys of a snapshot are stored differently from later ones; their content is compared elsewhere. */
const OTHERWISE = new Set(['idempotency']);

/**
 * Lists the differences between two graphs of objects; empty where they are equal. It walks every own property. An
 * object on the left must always correspond to the same object, of the same class, on the right.
 *
 * Caches are left out. A page of a book whose levels are all empty equals a missing page. Map entries are compared by
 * key. Where their order matters, the snapshot's text shows it.
 */
export function differences(left: unknown, right: unknown): readonly string[] {
  const found: string[] = [];
  const partners = new Map<object, object>();
  const open: [path: string, left: unknown, right: unknown][] = [['', left, right]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, a, b] = next;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
      if (!Object.is(a, b)) found.push(`${path}: ${String(a)} and ${String(b)}`);
      continue;
    }
    const partner = partners.get(a);
    if (partner !== undefined) {
      if (partner !== b) found.push(`${path}: two objects stand for one`);
      continue;
    }
    partners.set(a, b);
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) found.push(`${path}: of two classes`);
    const members = a instanceof Map ? mapMembers : ownMembers;
    const [inA, inB] = [members(a), members(b)];
    for (const name of new Set([...inA.keys(), ...inB.keys()])) {
      open.push([`${path}.${name}`, inA.get(name), inB.get(name)]);
    }
  }
  return found;
}

const mapMembers = (map: object): ReadonlyMap<string, unknown> => map as ReadonlyMap<string, unknown>;

function ownMembers(object: object): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(object)
      .filter(([name]) => !CACHES.has(name) && !OTHERWISE.has(name))
      .map(([name, value]: [string, unknown]) => [
        name,
        Array.isArray(object) && isEmptyPage(value) ? undefined : value,
      ]),
  );
}

function isEmptyPage(value: unknown): boolean {
  return Array.isArray(value) && value.length === 32 && value.every((level) => level === undefined);
}
