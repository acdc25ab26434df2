import { median } from './quantile.ts';

/** The figures in one output of a benchmark, by their names: the row's texts and the column. */
export type Figures = ReadonlyMap<string, number>;

/** Reads the numbers of an output's Markdown tables; the row's other cells and the column name them. */
export function figuresOf(output: string): Figures {
  const figures = new Map<string, number>();
  let columns: readonly string[] = [];
  let isRight: readonly boolean[] = [];
  let header: readonly string[] = [];
  for (const line of output.split('\n')) {
    if (!line.startsWith('|')) {
      columns = [];
      continue;
    }
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) {
      columns = header;
      isRight = cells.map((cell) => cell.endsWith(':'));
    } else if (columns.length === 0) {
      header = cells;
    } else {
      addRow(figures, columns, cells, isRight);
    }
  }
  return figures;
}

/** The medians of figures that every round of both builds has, in the order of the first. */
export function comparedFigures(before: readonly Figures[], after: readonly Figures[]) {
  const rounds = [...before, ...after];
  const names = [...(before[0]?.keys() ?? [])].filter((name) => rounds.every((figures) => figures.has(name)));
  const of = (builds: readonly Figures[], name: string): number =>
    median(builds.map((figures) => figures.get(name) ?? NaN));
  return names.map((name) => ({ name, before: of(before, name), after: of(after, name) }));
}

function addRow(
  figures: Map<string, number>,
  columns: readonly string[],
  cells: readonly string[],
  isRight: readonly boolean[],
): void {
  const words = cells.filter((cell, index) => isRight[index] !== true && cell !== '').join(', ');
  for (const [index, cell] of cells.entries()) {
    const value = numberOf(cell);
    if (isRight[index] !== true || value === null) continue;
    const plain = `${words}: ${columns[index] ?? ''}`;
    let name = plain;
    for (let n = 2; figures.has(name); n += 1) name = `${plain} (${n})`;
    figures.set(name, value);
  }
}

/** Parses a number as the tables print it, with separators of thousands and perhaps a unit. */
function numberOf(cell: string): number | null {
  const found = /^(-?[\d,]+(?:\.\d+)?)(?: ?(?:%|ms|s|MB|KB|×|µs))?$/.exec(cell);
  return found?.[1] === undefined ? null : Number(found[1].replaceAll(',', ''));
}
