/** Replaces `node:fs` in browsers, where verify-journal.mjs reads no files. */
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
