/** A page of this service's journal has at most 1 MiB, and its text may be six times as long. */
export const LINE_CHARACTERS_MAX = 8 * 1024 * 1024;

/** Consecutive lines of one file. `isCut`: the file was cut off after them. */
export interface LineBatch {
  readonly file: string;
  /** The lines without their line ends; null for a line longer than `LINE_CHARACTERS_MAX`. */
  readonly lines: readonly (string | null)[];
  readonly isCut?: true;
}

/** Splits UTF-8 into lines. The parts may begin and end anywhere. One line and one part are in memory at a time. */
export async function* splitLines(parts: AsyncIterable<Uint8Array>): AsyncGenerator<readonly (string | null)[]> {
  // The decoder also removes a byte order mark.
  const decoder = new TextDecoder();
  const open = { text: '', isTooLong: false };
  const next = (text: string): (string | null)[] => {
    const lines = text.split('\n').map((piece) => {
      const line = open.text + piece;
      const isRefused = open.isTooLong || line.length > LINE_CHARACTERS_MAX;
      open.text = '';
      open.isTooLong = false;
      return isRefused ? null : line;
    });
    // The last line has no line end yet.
    const last = lines.pop() ?? null;
    open.text = last ?? '';
    open.isTooLong = last === null;
    return lines.map((line) => (line?.endsWith('\r') === true ? line.slice(0, -1) : line));
  };
  for await (const part of parts) yield next(decoder.decode(part, { stream: true }));
  const end = next(decoder.decode());
  yield open.text === '' && !open.isTooLong ? end : [...end, ...next('\n')];
}
