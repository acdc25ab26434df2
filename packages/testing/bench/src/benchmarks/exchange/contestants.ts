import { createState } from '@paper/exchange';
import { OrderBook } from 'nodejs-order-book';
import { BareBook } from './bare-book.ts';
import { fillsOf, run } from './workload.ts';
import type { BenchWorkload, Step } from './workload.ts';

export interface Contestant {
  /** Executes one step; the caller keeps the result, so that the work is not optimized away. */
  execute(step: Step): unknown;
  fills(step: Step): string;
}

export const CONTESTANTS: Readonly<Record<'exchange' | 'bare' | 'peer', (workload: BenchWorkload) => Contestant>> = {
  exchange: (workload) => {
    const state = createState();
    for (const command of workload.setup) run(state, command);
    return filled(
      workload,
      (step) => run(state, step.command),
      (events) => fillsOf(events ?? []),
    );
  },
  bare: (workload) => {
    const book = new BareBook();
    return filled(workload, (step) => book.execute(step.command), fillsOf);
  },
  peer: (workload) => {
    const book = new OrderBook();
    return filled(workload, (step) => peerStep(book, step), peerFills);
  },
};

function filled<Result>(
  { fill }: BenchWorkload,
  execute: (step: Step) => Result,
  fillsIn: (result: Result, step: Step) => string,
): Contestant {
  for (const step of fill) execute(step);
  return { execute, fills: (step) => fillsIn(execute(step), step) };
}

type PeerOrder = Parameters<OrderBook['createOrder']>[0];

function peerStep(book: OrderBook, step: Step) {
  if (step.kind === 'cancel') return book.cancel(step.orderId);
  const side = step.isBid ? 'buy' : 'sell';
  // The package declares its enums as ambient types only, so these are the strings of its README.
  const order: unknown =
    step.kind === 'market'
      ? { type: 'market', side, size: step.quantity }
      : {
          type: 'limit',
          side,
          size: step.quantity,
          price: step.yesPriceUnits,
          id: step.orderId,
          timeInForce: step.kind === 'ioc' ? 'IOC' : 'GTC',
        };
  return book.createOrder(order as PeerOrder);
}

/** The peer's fills. It reports wholly filled makers with their orders, and at most one maker that is partly filled. */
function peerFills(answer: ReturnType<typeof peerStep>, step: Step): string {
  if (answer === undefined || !('done' in answer)) return '';
  let text = '';
  for (const order of answer.done) {
    if (order.id !== step.orderId) text += `${order.id}:${order.size};`;
  }
  if (answer.partial !== null && answer.partial.id !== step.orderId) {
    text += `${answer.partial.id}:${answer.partialQuantityProcessed};`;
  }
  return text;
}
