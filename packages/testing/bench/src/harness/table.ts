/** Prints the head of a Markdown table: texts on the left, numbers on the right. The returned function prints a row. */
export function printTable(texts: readonly string[], numbers: readonly string[]) {
  const line = (cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);
  line([...texts, ...numbers]);
  line([...texts.map(() => '---'), ...numbers.map(() => '--:')]);
  return (...cells: readonly (string | number)[]): void => line(cells);
}
