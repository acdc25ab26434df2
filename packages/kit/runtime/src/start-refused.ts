/**
 * A start that cannot work until a person changes something; the message says what, and how. The process ends with 2,
 * so that a supervisor need not try again.
 */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused';
}
