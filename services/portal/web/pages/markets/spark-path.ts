export const WIDTH = 96;
export const HEIGHT = 28;
/** The smallest range that is drawn, so that a change of one tick does not look large. */
const SPAN_MIN = 0.04;

export function sparkPath(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(most - least, SPAN_MIN);
  const bottom = (most + least - span) / 2;
  const x = (index: number): number => Math.round((index / (values.length - 1)) * (WIDTH - 2) + 1);
  const y = (value: number): number => Math.round(HEIGHT - 2 - ((value - bottom) / span) * (HEIGHT - 4));
  return `M${values.map((value, index) => `${x(index)} ${y(value)}`).join('L')}`;
}
