import type { ClientOptions } from './calls.ts';
import { PaperTradingClient } from './client.ts';
import { OperatorClient } from './operator-client.ts';

/** Creates a client for an API key; with `decimals: 'string'` amounts and prices come as exact text. */
export function createClient(options: ClientOptions & { readonly decimals: 'string' }): PaperTradingClient<string>;
export function createClient(options: ClientOptions): PaperTradingClient;
export function createClient(options: ClientOptions): PaperTradingClient | PaperTradingClient<string> {
  const client: PaperTradingClient = new PaperTradingClient(options);
  return client;
}

/** Creates a client for an operator's token. */
export function createOperatorClient(options: ClientOptions & { readonly decimals: 'string' }): OperatorClient<string>;
export function createOperatorClient(options: ClientOptions): OperatorClient;
export function createOperatorClient(options: ClientOptions): OperatorClient | OperatorClient<string> {
  const client: OperatorClient = new OperatorClient(options);
  return client;
}

export { ApiAnswer } from './answer.ts';
export type { BacktestSeat } from './backtest.ts';
export { nextPagePath, sendApiRequest, type ApiRequest, type ApiResponse } from './api-request.ts';
export type {
  AnswerOf,
  CallOptions,
  ClientOptions,
  CommandOptions,
  OperationId,
  RequestOf,
  RequestOptions,
  Requests,
} from './calls.ts';
export {
  PaperTradingClient,
  type AccountEvent,
  type Balance,
  type CancelledAll,
  type NewOrder,
  type OrderResult,
} from './client.ts';
export {
  ApiRefusal,
  IdempotencyKeyTooOld,
  KeyLost,
  OutcomeUnknown,
  PaperTradingError,
  ReceiptFault,
  refusalIn,
  Unreachable,
} from './errors.ts';
export type * as Api from './generated/api.ts';
export * from './generated/errors.ts';
export { LiveOrderBook, type BookLevel, type OrderBookEvent } from './live-order-book.ts';
export { OperatorClient, type BatchCommand, type BatchResult } from './operator-client.ts';
export { Pages, readPages, type Page } from './pages.ts';
export { PublicClient, type ListQuery, type PulseEvent } from './public-client.ts';
export type { Receipt, VerifiedReceipt } from './receipts.ts';
export { Watch, type OpenStream, type WatchKind, type WatchOptions } from './watch.ts';
