/**
 * What command lines print. Texts of other people may steer a terminal, hide what follows, or end a line: so every such
 * character is printed as its escape in JSON, such as \u001b for ESC.
 */

/** Characters without a shape of their own: controls, format and bidirectional characters, unassigned ones, line ends. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Replaces what a global pattern finds by its escapes in JSON, one for each UTF-16 code unit. */
export function escapeMatches(text: string, pattern: RegExp): string {
  return text.replace(pattern, (found) => found.split('').map(escapeUnit).join(''));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A text on one line, with every character that a terminal may not show as it is escaped. */
export function escapeText(text: string): string {
  return escapeMatches(text, UNPRINTABLE);
}

/** Lines of a text, each escaped. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeText).join('\n');
}

/** Prints lines to standard output. Texts of other people in them are escaped before, since they may hold line ends. */
export function print(lines: string): void {
  process.stdout.write(`${escapeLines(lines)}\n`);
}

/** Prints lines for a person to standard error, which do not belong in a pipe; of an error its message. */
export function printError(lines: unknown): void {
  process.stderr.write(`${escapeLines(lines instanceof Error ? lines.message : String(lines))}\n`);
}
