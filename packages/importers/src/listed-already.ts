import type { MarketBody } from '@paper/contracts';
import { count, type Counts } from './counts.ts';
import type { ListCommand } from './forecastbench.ts';

/** What an import finds listed. A listing stays as it is, so nothing here is an error. */
export interface ListedAlready {
  /** Markets with the text that the file has. */
  readonly same: number;
  /** Of those, the ones that this import would list otherwise: a former version of it did, or other options. */
  readonly otherwise: Counts;
  /** Markets whose text is another: the file's was changed, or an operator amended the market. */
  readonly otherText: number;
}

/** Compares commands with the markets of their ids. The status is left out: it changes by itself as time passes. */
export function listedAlready(
  commands: readonly ListCommand[],
  listed: ReadonlyMap<string, Pick<MarketBody, Compared>>,
): ListedAlready {
  const otherwise = new Map<string, number>();
  let [same, otherText] = [0, 0];
  for (const command of commands) {
    const market = listed.get(command.id ?? '');
    if (market === undefined) continue;
    if (!hasSameText(command, market)) {
      otherText += 1;
      continue;
    }
    same += 1;
    if (command.ticker !== market.ticker || command.sector !== market.sector) {
      count(otherwise, 'of these, listed by another version of this command, with another ticker or sector');
    }
  }
  return { otherText, otherwise, same };
}

type Compared = 'citationUrl' | 'closesAt' | 'description' | 'sector' | 'settlementSource' | 'ticker' | 'title';

function hasSameText(command: ListCommand, market: Pick<MarketBody, Compared>): boolean {
  return (
    command.title === market.title &&
    Date.parse(command.closesAt) === Date.parse(market.closesAt) &&
    command.settlementSource === market.settlementSource &&
    (command.description ?? null) === market.description &&
    (command.citationUrl ?? null) === market.citationUrl
  );
}
