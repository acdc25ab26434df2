/** The message tells the operator what is wrong, and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
