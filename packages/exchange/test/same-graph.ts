/** Caches, which say nothing that is not said elsewhere. */
const CACHES = new Set(['lastMarket', 'lastPosition']);

/** Idempotency-Keys of a snapshot are stored differently from later ones; their content is compared elsewhere. */
const OTHERWISE = new Set(['idempotency']);

/**
 * What differs between two graphs of objects, walked over every property that the objects have of their own: an object
 * on the left has to have one partner on the right, of the same class, wherever it is met. Empty: they are the same.
 *
 * Left out are the caches. A page of a book whose levels have all gone is as good as none. Entries of maps are
 * compared by their keys; where their order decides, the snapshot's text holds it.
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
