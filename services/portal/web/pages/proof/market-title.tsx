import type { MarketBody } from '@paper/contracts/markets';
import { Link } from 'wouter-preact';
import { marketReads } from '../../../src/pages/paths.ts';
import { useRead } from '../../data/api/use-read.ts';

/** A link to a market by its title. The title is read if it is not given. */
export function MarketTitle({ id, title }: { readonly id: string; readonly title?: string | undefined }) {
  const { data } = useRead<MarketBody>(title === undefined ? marketReads(id).market : null);
  return <Link href={`/markets/${encodeURIComponent(id)}`}>{title ?? data?.title ?? id}</Link>;
}
