import type { BatchCommandBody } from '@paper/contracts/operator';
import { parseInstant } from '@paper/contracts/units';
import type { CommandFields } from '../command-gateway.ts';

/** A signal as the operator sends it. */
type SignalBody = Omit<Extract<BatchCommandBody, { op: 'record-signal' }>, 'op'>;

export function recordSignalFields(body: SignalBody): CommandFields<'RecordSignal'> {
  return {
    citationUrl: body.citationUrl,
    confidence: body.confidence ?? null,
    event: body.event ?? null,
    externalId: body.externalId,
    factValue: body.factValue ?? null,
    fairProb: body.fairProb ?? null,
    freshnessMs: body.freshnessMs ?? null,
    headline: body.headline,
    marketId: body.marketId ?? null,
    publishedAt: parseInstant(body.publishedAt),
    source: body.source,
    threshold: body.threshold ?? null,
    type: 'RecordSignal',
  };
}
