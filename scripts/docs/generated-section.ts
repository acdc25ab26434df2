/** A section of a Markdown page that a script writes, between `<!-- NAME -->` and `<!-- end of NAME -->`. */
export interface GeneratedSection {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

/** Replaces the section in the text of its page. @throws Error when the page lacks the two markers. */
export function replaceSection(document: string, { name, text }: GeneratedSection): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there is no place for "${name}"`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}

/** Builds a Markdown table; the formatter aligns its columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
