/** Output of command lines, where texts of other people may steer a terminal: their escapes are those of JSON. */

/** Characters without a visible shape: controls, format and bidirectional characters, unassigned ones, line ends. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Replaces the matches of a global pattern by their JSON escapes, one for each UTF-16 code unit. */
export function escapeMatches(text: string, pattern: RegExp): string {
  return text.replace(pattern, (found) => found.split('').map(escapeUnit).join(''));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Puts a text on one line, and escapes every character that a terminal may not show as it is. */
export function escapeText(text: string): string {
  return escapeMatches(text, UNPRINTABLE);
}

export function escapeLines(text: string): string {
  return text.split('\n').map(escapeText).join('\n');
}

/** Prints lines to standard output. Line ends in texts of other people must already be escaped. */
export function print(lines: string): void {
  process.stdout.write(`${escapeLines(lines)}\n`);
}

/** Prints lines for a person to standard error, so that they do not enter a pipe; for an error its message. */
export function printError(lines: unknown): void {
  process.stderr.write(`${escapeLines(lines instanceof Error ? lines.message : String(lines))}\n`);
}
