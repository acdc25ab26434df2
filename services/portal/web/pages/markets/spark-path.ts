/** The size of a sparkline, in the units of its path. */
export const WIDTH = 96;
export const HEIGHT = 28;
/** The smallest range of a sparkline, so that a change of one tick does not look large. */
const SPAN_MIN = 0.04;

/** The path of a line through two or more values at even distances. */
export function sparkPath(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(most - least, SPAN_MIN);
  const bottom = (most + least - span) / 2;
  const x = (index: number): number => Math.round((index / (values.length - 1)) * (WIDTH - 2) + 1);
  const y = (value: number): number => Math.round(HEIGHT - 2 - ((value - bottom) / span) * (HEIGHT - 4));
  return `M${values.map((value, index) => `${x(index)} ${y(value)}`).join('L')}`;
}
