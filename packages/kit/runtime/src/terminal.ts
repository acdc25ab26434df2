/**
 * Output of command lines. Texts of other people may steer a terminal, hide what follows, or end a line. So every such
 * character is printed as its JSON escape, such as \u001b for ESC.
 */

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

/** Escapes each line of a text. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeText).join('\n');
}

/**
 * Prints lines to standard output. Texts of other people in them must already be escaped, since they may hold line
 * ends.
 */
export function print(lines: string): void {
  process.stdout.write(`${escapeLines(lines)}\n`);
}

/** Prints lines for a person to standard error, so that they do not enter a pipe; for an error its message. */
export function printError(lines: unknown): void {
  process.stderr.write(`${escapeLines(lines instanceof Error ? lines.message : String(lines))}\n`);
}
