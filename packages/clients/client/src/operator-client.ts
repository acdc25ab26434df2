import { backOffMs } from './api-request.ts';
import type { CallOptions, CommandOptions } from './calls.ts';
import type * as Api from './generated/api.ts';
import type { Pages } from './pages.ts';
import { pause } from './pause.ts';
import { PublicClient } from './public-client.ts';
import type { ListQuery } from './public-client.ts';

/** A command of a batch. */
export type BatchCommand = Api.BatchInput<Api.Decimal>['commands'][number];

/** The result of a command of a batch. */
export type BatchResult<D = number> = Api.BatchAnswer<D>['results'][number];

const BATCH_ATTEMPTS = 8;
const PAUSE_MS_MAX = 5_000;

/** A client for an operator's token. Every other call of operators is `call(id, request)`. */
export class OperatorClient<D = number> extends PublicClient<D> {
  /** Lists a market. Without an id it gets one, so that a repeat lists it once. */
  createMarket(market: Api.ListMarketInput<Api.Decimal>, options?: CommandOptions): Promise<Api.Market<D>> {
    return this.call('createMarket', { body: { ...market, id: market.id ?? crypto.randomUUID() } }, options);
  }

  /** Markets of every phase or of one, the newest listing first. */
  fetchMarketsOfAnyPhase(query: ListQuery<'listMarketsByPhase'> = {}, options?: CallOptions): Pages<Api.Market<D>> {
    return this.pages('listMarketsByPhase', { query }, (markets) => markets, options);
  }

  /** The 100 primary accounts that sent most commands, with their sub-accounts, on a UTC day. Default: today. */
  fetchUsage(query: { readonly day?: string } = {}, options?: CallOptions): Promise<Api.Usage> {
    return this.call('getUsage', { query }, options);
  }

  /**
   * Opens a primary account with its first key. If the answer with the raw key is lost, the key is revoked and another
   * one issued. @throws KeyLost when that is not possible
   */
  async openAccount(
    account: Api.OpenAccountInput<Api.Decimal>,
    options?: CommandOptions,
  ): Promise<Api.OpenedAccount<D>> {
    const opened = await this.call('openAccount', { body: account }, options);
    return { ...opened, apiKey: await this.#withRawKey(opened.apiKey, opened.account.id) };
  }

  /** Issues a key for a primary account. @throws KeyLost as openAccount does */
  async issueKey(
    accountId: string,
    input: Api.CreateApiKeyInput,
    options?: CommandOptions,
  ): Promise<Api.IssuedApiKey<D>> {
    const { apiKey } = await this.call('issueAccountKey', { params: { id: accountId }, body: input }, options);
    return this.#withRawKey(apiKey, accountId);
  }

  /**
   * Sends up to 500 commands; returns their results in the same order. A batch has status 200 even if some of its
   * commands could not be decided. Only those are sent again, so that `changed` stays right.
   */
  async runBatch(commands: readonly BatchCommand[], options?: CommandOptions): Promise<readonly BatchResult<D>[]> {
    const results: BatchResult<D>[] = [];
    let waiting = commands.map((command, index) => ({ command, index }));
    for (let attempt = 1; ; attempt += 1) {
      const body = { commands: waiting.map(({ command }) => command) };
      const answer = await this.call('runOperatorBatch', { body }, attempt === 1 ? options : withoutKey(options));
      for (const [nth, { index }] of waiting.entries()) {
        const result = answer.results[nth];
        if (result !== undefined) results[index] = result;
      }
      waiting = waiting.filter(({ index }) => isUndecided(results[index]));
      if (waiting.length === 0 || attempt >= BATCH_ATTEMPTS) return results;
      await pause(backOffMs(attempt, PAUSE_MS_MAX), options?.signal);
    }
  }

  #withRawKey(issued: Api.IssuedApiKey<D>, accountId: string): Promise<Api.IssuedApiKey<D>> {
    const revoke = () => this.call('revokeAccountKey', { params: { keyId: issued.id } });
    return this.withRawKey(issued, accountId, revoke, (input) => this.issueKey(accountId, input));
  }
}

const isUndecided = (result: BatchResult<unknown> | undefined): boolean =>
  result?.ok === false && result.status === 503;

/** Another request needs another Idempotency-Key. */
function withoutKey(options: CommandOptions | undefined): CommandOptions {
  const { firstSentAt: _firstSentAt, idempotencyKey: _idempotencyKey, ...rest } = options ?? {};
  return rest;
}
