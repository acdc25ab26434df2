/**
 * Prints the head of a Markdown table. The returned function prints a row, so that a long run shows its rows as they
 * are measured.
 * @param texts headings of the first columns, which are aligned to the left
 * @param numbers headings of the other columns
 */
export function printTable(texts: readonly string[], numbers: readonly string[]) {
  const line = (cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);
  line([...texts, ...numbers]);
  line([...texts.map(() => '---'), ...numbers.map(() => '--:')]);
  return (...cells: readonly (string | number)[]): void => line(cells);
}
