/** What was asked for cannot be done as things are; the message says why, and what can. */
export class RebuildRefused extends Error {
  override readonly name = 'RebuildRefused';
}
