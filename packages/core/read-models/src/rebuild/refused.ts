/** The requested step is not possible now; the message says why, and what is possible. */
export class RebuildRefused extends Error {
  override readonly name = 'RebuildRefused';
}
