import type { OperatorCaller } from '@paper/contracts';
import type { MarketBody } from '@paper/contracts/markets';
import type { BatchCommandBody } from '@paper/contracts/operator';
import { parseInstant } from '@paper/contracts/units';
import { eventId, signalSeq } from '@paper/exchange';
import type { CommandOf, Untimed } from '@paper/exchange/commands';
import { settledAnswer, submitForMarket } from '../answers/markets.ts';
import { listMarketFields } from '../commands/listing.ts';
import { recordSignalFields } from '../commands/signal.ts';
import type { ListingBody } from '../commands/listing.ts';
import type { CommandResult, StoredName } from '@paper/command-side';
import { baseOf, laneOf, submitFor, unitsOf } from '../command-gateway.ts';
import type { Call, CommandGateway } from '../command-gateway.ts';

/** A command of a batch without its `op`: the body of the single call, and the `id` of its path. */
export type BodyOf<O extends BatchCommandBody['op']> = Omit<Extract<BatchCommandBody, { op: O }>, 'op'>;

export interface OperatorCall extends Call {
  readonly caller: OperatorCaller;
  /** The stored display name of an account to open; undefined if it could not be stored. */
  readonly name?: StoredName | undefined;
}

/** Lists a market. Listing it again with the same body returns the same answer. */
export async function listMarket(gateway: CommandGateway, call: OperatorCall, body: ListingBody) {
  return submitForMarket(gateway, call, listMarketFields(body));
}

export async function amendMarket(gateway: CommandGateway, call: OperatorCall, body: BodyOf<'amend-market'>) {
  return submitForMarket(gateway, call, {
    citationUrl: body.citationUrl ?? null,
    closesAt: body.closesAt === undefined ? null : parseInstant(body.closesAt),
    companyImpact: body.companyImpact ?? null,
    description: body.description ?? null,
    drivers: body.drivers ?? null,
    marketId: body.id,
    title: body.title ?? null,
    type: 'AmendMarket',
  });
}

/** Activates, pauses or closes a market. A close is answered once all open orders are cancelled. */
export function changePhase(type: 'ActivateMarket' | 'PauseMarket' | 'CloseMarket') {
  return async (
    gateway: CommandGateway,
    call: OperatorCall,
    { id: marketId }: { readonly id: string },
  ): Promise<CommandResult<MarketBody>> => submitForMarket(gateway, call, { marketId, type });
}

/** Resolves a market. Answered once every position is settled. */
export async function resolveMarket(gateway: CommandGateway, call: OperatorCall, body: BodyOf<'resolve-market'>) {
  const resolve = {
    citationUrl: body.citationUrl ?? null,
    headline: body.headline ?? null,
    marketId: body.id,
    outcome: body.outcome,
    source: body.source ?? null,
    type: 'ResolveMarket',
  } as const;
  return submitFor(gateway, call, resolve, (_decision, state) => settledAnswer(state, resolve.marketId));
}

/** Voids a market. Answered once every position is settled. */
export async function voidMarket(gateway: CommandGateway, call: OperatorCall, body: BodyOf<'void-market'>) {
  const annul = {
    marketId: body.id,
    priceUnits: unitsOf('price', body.price),
    reason: body.reason,
    type: 'VoidMarket',
  } as const;
  return submitFor(gateway, call, annul, (_decision, state) => settledAnswer(state, annul.marketId));
}

/** Records a signal. Recording the same (source, externalId) again returns the first one's id and sequence. */
export async function recordSignal(
  gateway: CommandGateway,
  { caller, idempotency }: OperatorCall,
  body: BodyOf<'record-signal'>,
): Promise<CommandResult<{ readonly id: string; readonly seq: number }>> {
  const record: Untimed<CommandOf<'RecordSignal'>> = { ...baseOf(caller, idempotency), ...recordSignalFields(body) };
  const result = await gateway.submit(laneOf(caller), record, (decision, state) => {
    const seq = signalSeq(state, record.source, record.externalId);
    if (seq === null) throw new Error('a signal was decided on and is not there');
    return { id: decision.kind === 'accepted' ? eventId(record.id, 0) : null, seq };
  });
  const { id, seq } = result.value;
  return { ...result, value: { id: id ?? (await gateway.eventIdAt(seq)), seq } };
}
