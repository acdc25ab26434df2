/**
 * Replaces `node:fs` in the bundle for browsers, where the part of verify-journal.mjs that reads files does not run.
 */
function noFiles(): never {
  throw new Error('a browser has no files');
}

export {
  noFiles as appendFileSync,
  noFiles as createReadStream,
  noFiles as existsSync,
  noFiles as realpathSync,
  noFiles as statSync,
  noFiles as truncateSync,
};
