import type { MarketBody } from '@paper/contracts/markets';
import { withoutRefused } from '@paper/contracts/operator';
import { count } from './counts.ts';
import type { ListCommand } from './forecastbench.ts';

/**
 * Compares commands with the listed markets of the same ids, but not the status, which changes with time. `otherwise`
 * counts markets with the same text and other fields, which another version of the import has listed.
 */
export function listedAlready(
  commands: readonly ListCommand[],
  listed: ReadonlyMap<string, Pick<MarketBody, Compared>>,
) {
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

/** Compares all texts, except characters that are refused today and were allowed when the market was listed. */
function hasSameText(command: ListCommand, market: Pick<MarketBody, Compared>): boolean {
  return (
    command.title === withoutRefused(market.title, false) &&
    Date.parse(command.closesAt) === Date.parse(market.closesAt) &&
    command.settlementSource === market.settlementSource &&
    (command.description ?? null) === (market.description && withoutRefused(market.description, true)) &&
    (command.citationUrl ?? null) === market.citationUrl
  );
}
