import { Refused } from '@paper/contracts';
import type { endpoints, ErrorCode, Handler, KeyCaller } from '@paper/contracts';
import { OrderDetail, OrderItem } from '@paper/contracts/orders';
import type { OrderResultBody } from '@paper/contracts/orders';
import { IDEMPOTENCY_CONFLICT, orderAnswer, rememberedFingerprint } from '@paper/exchange';
import type { CommandOf, Idempotency, Untimed } from '@paper/exchange/commands';
import type { CommandResult } from '@paper/command-side';
import { apiErrorOf, readItem, replayHeaders } from '@paper/http';
import { actorOf, eventsOf, keyOfItem, laneOf, newestHead, resultsOf } from '../command-gateway.ts';
import type { CommandGateway } from '../command-gateway.ts';
import { orderCommand } from './orders.ts';

type RefusedItem = Extract<OrderResultBody, { ok: false }>;

/** Places up to 50 orders. The Idempotency-Key applies to each item by its index, so the batch can be sent again. */
export function placeOrders(gateway: CommandGateway): Handler<typeof endpoints.placeOrders> {
  return async (caller, { body, idempotency }) => {
    const items = body.orders.map((item, index) => commandOf(caller, item, idempotency, index));
    const commands = items.filter((item) => 'type' in item);
    const decided = commands.length === 0 ? [] : await submit(gateway, caller, commands);
    const answered = resultsOf(decided);
    if (idempotency !== null && answered.length === 0) refuseForeignKey(gateway, caller, idempotency.key);
    let next = 0;
    const results = items.map((item): OrderResultBody => {
      if (!('type' in item)) return item;
      const result = decided[next];
      next += 1;
      if (result === undefined) throw new Error('a command of the batch has no result');
      if (result instanceof Refused) return refusedItem(result);
      return { ok: true, order: OrderDetail.body({ seq: result.seq, ...result.value }) };
    });
    return { body: { results }, ...newestHead(gateway, answered), ...replayHeaders(isReplay(answered)) };
  };
}

function submit(gateway: CommandGateway, caller: KeyCaller, commands: readonly Untimed<CommandOf<'PlaceOrder'>>[]) {
  let next = 0;
  return gateway.submitSequence(laneOf(caller), {
    answer: (decision) => orderAnswer(eventsOf(decision)),
    limited: (state) => commands.filter((command) => rememberedFingerprint(state, command) === null),
    next: () => {
      const command = commands[next] ?? null;
      next += 1;
      return command;
    },
  });
}

function commandOf(caller: KeyCaller, item: unknown, batch: Idempotency | null, index: number) {
  try {
    return orderCommand(caller, readItem(OrderItem, item), keyOfItem(batch, '/api/orders/batch', item, index));
  } catch (error) {
    return refusedItem(error);
  }
}

function refusedItem(error: unknown): RefusedItem {
  const refusal = apiErrorOf(error);
  if (refusal === null) throw error;
  const { code, message } = refusal;
  return { ok: false, error: message, code: code satisfies ErrorCode };
}

function isReplay(answered: readonly CommandResult<unknown>[]): boolean {
  return answered.length > 0 && answered.every(({ replayed }) => replayed);
}

/** Refuses the batch if a single command has used its key: then no item was accepted. @throws Refused */
function refuseForeignKey(gateway: CommandGateway, caller: KeyCaller, key: string): void {
  if (!gateway.usedBySingle(actorOf(caller), key)) return;
  throw new Refused(IDEMPOTENCY_CONFLICT.code, IDEMPOTENCY_CONFLICT.message);
}
