import type { CommandOptions } from './calls.ts';
import { KeyLost } from './errors.ts';
import type * as Api from './generated/api.ts';
import { PublicClient } from './public-client.ts';

/** A client for an operator's token. Every other call of operators is `call(id, request)`. */
export class OperatorClient<D = number> extends PublicClient<D> {
  /** Lists a market. Without an id it gets one, so that a repeat lists it once. */
  createMarket(market: Api.ListMarketInput<Api.Decimal>, options?: CommandOptions): Promise<Api.Market<D>> {
    return this.call('createMarket', { body: { ...market, id: market.id ?? crypto.randomUUID() } }, options);
  }

  /**
   * Opens a primary account with its first key. Where the answer with the raw key was lost, the key is revoked and
   * another one issued.
   *
   * @throws KeyLost where that is not possible
   */
  async openAccount(
    account: Api.OpenAccountInput<Api.Decimal>,
    options?: CommandOptions,
  ): Promise<Api.OpenedAccount<D>> {
    const opened = await this.call('openAccount', { body: account }, options);
    const { apiKey } = opened;
    return apiKey.rawKey === undefined
      ? { ...opened, apiKey: await this.#replaced(apiKey, opened.account.id) }
      : opened;
  }

  /** Issues a key for a primary account. @throws KeyLost as openAccount does */
  async issueKey(
    accountId: string,
    input: Api.CreateApiKeyInput,
    options?: CommandOptions,
  ): Promise<Api.IssuedApiKey<D>> {
    const { apiKey } = await this.call('issueAccountKey', { params: { id: accountId }, body: input }, options);
    return apiKey.rawKey === undefined ? this.#replaced(apiKey, accountId) : apiKey;
  }

  /** Another key in place of one whose raw key was lost with its answer. */
  async #replaced(lost: Api.IssuedApiKey<D>, accountId: string): Promise<Api.IssuedApiKey<D>> {
    const { id, name, permissions } = lost;
    if (!this.replacesLostKeys) throw new KeyLost(id, accountId);
    try {
      await this.call('revokeAccountKey', { params: { keyId: id } });
      return await this.issueKey(accountId, { name, permissions: [...permissions] });
    } catch (error) {
      throw error instanceof KeyLost ? error : new KeyLost(id, accountId, error);
    }
  }
}
