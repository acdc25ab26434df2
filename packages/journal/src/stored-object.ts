/** A JSON object as some version of the program stored it: its shape is known only after upcasting. */
export type Stored = Readonly<Record<string, unknown>>;

/** Makes version n + 1 of a stored object from version n. Pure, total, and never changed once released. */
export type Upcast = (old: Stored) => Stored;

/**
 * Brings a stored object to its current version, one step at a time. `steps[0]` leads from version 1 to 2, so the
 * current version is one more than there are steps.
 *
 * @throws Error for a version that this build does not know.
 */
export function upcastStepwise(what: string, stored: Stored, version: number, steps: readonly Upcast[]): Stored {
  if (!Number.isInteger(version) || version < 1 || version > steps.length + 1) {
    throw new Error(`${what} version ${version} is unknown here, the current one is ${steps.length + 1}`);
  }
  let current = stored;
  for (let from = version; from <= steps.length; from++) current = steps[from - 1]?.(current) ?? current;
  return current;
}
