import { createHash } from 'node:crypto';
import { Refused } from '@paper/contracts';
import type { BatchCommandBody } from '@paper/contracts/operator';
import { parseInstant } from '@paper/contracts/units';
import { canonicalJson } from '@paper/journal';
import { newId } from '@paper/command-side';
import { unitsOf } from '../command-gateway.ts';
import type { CommandFields } from '../command-gateway.ts';

/** A listing as the operator sends it, with its defaults. */
export type ListingBody = Omit<Extract<BatchCommandBody, { op: 'list-market' }>, 'op'>;

const PHASES = { active: 'active', closed: 'closed', pending: 'scheduled' } as const;

function required(units: number | null, field: string): number {
  if (units === null) throw new Refused('validation_failed', `validation failure: ${field}: is required: a number`);
  return units;
}

/**
 * The fields of a command that lists a market. `bodyHash` is the SHA-256 of the listing without its id in canonical
 * form: with defaults, amounts in units, times in UTC.
 */
export function listMarketFields(body: ListingBody): CommandFields<'ListMarket'> {
  const listing = {
    category: body.category,
    citationUrl: body.citationUrl ?? null,
    closesAt: parseInstant(body.closesAt),
    companyImpact: body.companyImpact,
    companySlug: body.companySlug,
    description: body.description ?? null,
    drivers: body.drivers,
    phase: PHASES[body.status],
    priorUnits: required(unitsOf('prior', body.prior), 'prior'),
    sector: body.sector,
    settlementSource: body.settlementSource,
    tickUnits: required(unitsOf('tickSize', body.tickSize), 'tickSize'),
    ticker: body.ticker,
    title: body.title,
  };
  const bodyHash = createHash('sha256').update(canonicalJson(listing)).digest('hex');
  return { ...listing, bodyHash, marketId: body.id ?? newId(), type: 'ListMarket' };
}
