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
    for (const step of workload.fill) run(state, step.command);
    return {
      execute: (step) => run(state, step.command),
      fills: (step) => fillsOf(run(state, step.command) ?? []),
    };
  },
  bare: (workload) => {
    const book = new BareBook();
    for (const step of workload.fill) book.execute(step.command);
    return {
      execute: (step) => book.execute(step.command),
      fills: (step) => fillsOf(book.execute(step.command)),
    };
  },
  peer: (workload) => {
    const book = new OrderBook();
    for (const step of workload.fill) peerStep(book, step);
    return {
      execute: (step) => peerStep(book, step),
      fills: (step) => peerFills(book, step),
    };
  },
};

type PeerAnswer = ReturnType<OrderBook['createOrder']>;
type PeerOrder = Parameters<OrderBook['createOrder']>[0];

function peerStep(book: OrderBook, step: Step): PeerAnswer | ReturnType<OrderBook['cancel']> {
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
function peerFills(book: OrderBook, step: Step): string {
  const answer = peerStep(book, step);
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
