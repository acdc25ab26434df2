/** A start that cannot work until a person changes something: the process ends with 2, and no supervisor retries. */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused';
}
