import type { TraderBody } from '@paper/contracts/accounts';
import type { ValuePoint } from '../../ui/value-chart.tsx';

export function pointsOf({ equity }: Pick<TraderBody, 'equity'>): readonly ValuePoint[] {
  return equity.map(({ at, value }) => ({ at: Date.parse(at), value }));
}

/** The sum of accounts. Before its opening an account counts with its starting balance, so that only gains matter. */
export function sumEquity(accounts: readonly (readonly ValuePoint[])[]): readonly ValuePoint[] {
  const moves = accounts.flatMap((points) =>
    points.map(({ at, value }, index) => ({ at, by: index === 0 ? 0 : value - (points[index - 1]?.value ?? value) })),
  );
  const sums = new Map<number, number>();
  let value = accounts.reduce((sum, points) => sum + (points[0]?.value ?? 0), 0);
  for (const { at, by } of moves.toSorted((a, b) => a.at - b.at)) sums.set(at, (value += by));
  return [...sums].map(([at, sum]) => ({ at, value: sum }));
}
