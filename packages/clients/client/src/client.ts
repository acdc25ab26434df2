import { playToEnd } from './backtest.ts';
import type { BacktestSeat } from './backtest.ts';
import { accountStream } from './backtest-streams.ts';
import type { CallOptions, CommandOptions } from './calls.ts';
import { decimalText } from './decimals.ts';
import type * as Api from './generated/api.ts';
import { ITEM_FIELDS } from './generated/operations.ts';
import { operationName, operationPath } from './operation-path.ts';
import type { Pages } from './pages.ts';
import { PublicClient } from './public-client.ts';
import type { ListQuery } from './public-client.ts';
import { refusalBy } from './refusal.ts';
import type { Watch, WatchOptions } from './watch.ts';

/** An order to place. Prices are numbers or exact text: 0.41 or '0.41'. */
export type NewOrder = Api.OrderItem<Api.Decimal>;

/** The result of one order of a batch. */
export type OrderResult<D = number> = Api.OrderBatch<D>['results'][number];

/** The orders that `cancelAllOrders` cancelled. */
export interface CancelledAll extends Api.CancelledOrders {
  /** Whether an earlier attempt may have cancelled orders too: its answer was lost, so its orders are missing here. */
  readonly repeated: boolean;
}

/** An event of the account's stream. `resumed`: it is the first event after a connection was lost. */
export type AccountEvent<D = number> = Api.AccountEvent<D> & { readonly resumed: boolean };

/** An account's cash in dollars. */
export interface Balance<D = number> {
  /** All cash, including what open orders reserve. */
  readonly cash: D;
  readonly reserved: D;
  /** Cash that an order can use. */
  readonly free: D;
  readonly portfolioValue: D;
  readonly pnl: D;
}

/** A query in which `fleet` (a primary account with all its sub-accounts) is a boolean instead of the API's text. */
type FleetQuery<Id extends 'cancelOrders' | 'listOpenOrders'> = Omit<ListQuery<Id>, 'fleet'> & {
  readonly fleet?: boolean;
};

const UNITS = 10_000;
const ACCOUNT_SILENT_MS = 35_000;
/** How long a backtest waits for a participant's call by default. */
const PATIENCE_SECONDS = 60;
/** The pause between two reads of a backtest's state. */
const STATE_PAUSE_MS = 1_000;

/**
 * A client of the Paper Trading Service for bots. Every command is carried out once, whatever happens to the
 * connection; every stream resumes by itself. Create it with `createClient`.
 */
export class PaperTradingClient<D = number> extends PublicClient<D> {
  /** Places an order. @throws InsufficientBalance, InvalidTick, MarketNotActive, other ApiRefusals; OutcomeUnknown */
  async createOrder(order: NewOrder, options?: CommandOptions): Promise<Api.Order<D>> {
    if (ITEM_FIELDS.every((field) => order[field] === undefined)) {
      return this.call('placeOrder', { body: order }, options);
    }
    const [result] = await this.createOrders([order], options);
    if (result?.ok === true) return result.order;
    throw refusalBy('POST /api/orders/batch', 400, result?.code, result?.error ?? 'The answer has no result.');
  }

  /** Places up to 50 orders, each decided on its own. A refused one is a result, not an error. */
  async createOrders(orders: readonly NewOrder[], options?: CommandOptions): Promise<readonly OrderResult<D>[]> {
    return (await this.call('placeOrders', { body: { orders } }, options)).results;
  }

  /** Previews an order against the present book. Places nothing. */
  previewOrder(order: NewOrder, options?: CallOptions): Promise<Api.OrderPreview<D>> {
    return this.call('previewOrder', { body: order }, options);
  }

  /** Changes the price or the total quantity of an open order. */
  editOrder(
    orderId: string,
    change: Api.AmendOrderInput<Api.Decimal>,
    options?: CommandOptions,
  ): Promise<Api.OrderDetail<D>> {
    return this.call('amendOrder', { params: { id: orderId }, body: change }, options);
  }

  /** Cancels an order. Resolves to false if the order was not open, or is not the account's. */
  async cancelOrder(orderId: string, options?: CommandOptions): Promise<boolean> {
    return (await this.call('cancelOrder', { params: { id: orderId } }, options)).ok;
  }

  /** Cancels the account's open orders that match every filter; with `fleet` also those of all sub-accounts. */
  async cancelAllOrders(
    { fleet, ...filter }: FleetQuery<'cancelOrders'> = {},
    options?: CallOptions,
  ): Promise<CancelledAll> {
    const query = { ...filter, fleet: flag(fleet) };
    const { body, mayBeRepeat } = await this.answer('cancelOrders', { query }, options);
    return { ...body, repeated: mayBeRepeat };
  }

  /** The present state of an order. @throws NotFound */
  fetchOrder(orderId: string, options?: CallOptions): Promise<Api.OrderDetail<D>> {
    return this.call('getOrder', { params: { id: orderId } }, options);
  }

  /** The newest order with this clientOrderId. @throws NotFound */
  fetchOrderByClientId(clientOrderId: string, options?: CallOptions): Promise<Api.OrderDetail<D>> {
    return this.call('getOrderByClientId', { params: { clientOrderId } }, options);
  }

  /** The events of an order, oldest first. */
  fetchOrderHistory(
    orderId: string,
    query: ListQuery<'getOrderHistory'> = {},
    options?: CallOptions,
  ): Pages<Api.OrderHistoryEntry<D>> {
    return this.pages('getOrderHistory', { params: { id: orderId }, query }, ({ history }) => history, options);
  }

  /** The account's orders: all open ones first, then the newest ended. */
  fetchOrders(query: ListQuery<'listOrders'> = {}, options?: CallOptions): Pages<Api.Order<D>> {
    return this.pages('listOrders', { query }, (orders) => orders, options);
  }

  /**
   * Every order that is open or partly filled, in the order of acceptance; with `fleet` also the orders of all
   * sub-accounts. A bot reads this after a restart.
   */
  fetchOpenOrders(
    { fleet, ...filter }: FleetQuery<'listOpenOrders'> = {},
    options?: CallOptions,
  ): Promise<readonly Api.OrderDetail<D>[]> {
    const query = { ...filter, fleet: flag(fleet) };
    return this.pages('listOpenOrders', { query }, ({ orders }) => orders, options).all();
  }

  /** The account's fills, newest first. */
  fetchMyTrades(query: ListQuery<'listFills'> = {}, options?: CallOptions): Pages<Api.Fill<D>> {
    return this.pages('listFills', { query }, (fills) => fills, options);
  }

  /** The account's positions: one for each side that it holds. */
  async fetchPositions(options?: CallOptions): Promise<readonly Api.Position<D>[]> {
    return (await this.call('getPositions', {}, options)).positions;
  }

  /** Cash, positions, orders, trades and results, now or as of a journal sequence. */
  fetchPortfolio(query: ListQuery<'getPortfolio'> = {}, options?: CallOptions): Promise<Api.Portfolio<D>> {
    return this.call('getPortfolio', { query }, options);
  }

  /** The account's cash in dollars. */
  async fetchBalance(options?: CallOptions): Promise<Balance<D>> {
    const { orders, summary } = await this.fetchPortfolio({}, options);
    const reserved = orders.reduce((sum, { reservedAmount }) => sum + toUnits(reservedAmount), 0);
    const { cash, pnl, portfolioValue } = summary;
    const amount = (units: number): D => (typeof cash === 'string' ? decimalText(units / UNITS) : units / UNITS) as D;
    return { cash, reserved: amount(reserved), free: amount(toUnits(cash) - reserved), portfolioValue, pnl };
  }

  /** Turns pairs of YES and NO shares into $1 each. Without `quantity` all pairs. */
  mergeShares(
    marketId: string,
    { quantity }: { readonly quantity?: number } = {},
    options?: CommandOptions,
  ): Promise<Api.MergedShares<D>> {
    return this.call('mergeShares', { body: { marketId, quantity } }, options);
  }

  /** The time at which the open orders are cancelled unless the switch is set again; null while the switch is off. */
  async fetchDeadManSwitch(options?: CallOptions): Promise<string | null> {
    return (await this.call('getDeadManSwitch', {}, options)).cancelsAt;
  }

  /** Cancels all open orders after this many seconds, unless the switch is set again before. 0 turns it off. */
  async setDeadManSwitch(seconds: number, options?: CallOptions): Promise<string | null> {
    return (await this.call('setDeadManSwitch', { body: { seconds } }, options)).cancelsAt;
  }

  /** The account and the key of this client. */
  fetchMe(options?: CallOptions): Promise<Api.Me<D>> {
    return this.call('getMe', {}, options);
  }

  /** Changes the display name of the account, once in 7 days. Needs a primary's key with `master`. */
  renameAccount(displayName: string, options?: CommandOptions): Promise<Api.Me<D>> {
    return this.call('renameAccount', { body: { displayName } }, options);
  }

  /** Cited signals of all markets, newest first. */
  fetchSignals(query: ListQuery<'listRecentSignals'> = {}, options?: CallOptions): Pages<Api.RecentSignal<D>> {
    return this.pages('listRecentSignals', { query }, ({ signals }) => signals, options);
  }

  /** Active markets with computed signals. */
  fetchMarketSignals(options?: CallOptions): Promise<readonly Api.MarketSignal<D>[]> {
    return this.call('listMarketSignals', {}, options);
  }

  /** Every movement of the fleet's cash and shares, oldest first. Needs a key with `reconcile`. */
  fetchLedger(query: ListQuery<'listLedger'> = {}, options?: CallOptions): Pages<Api.LedgerEntry<D>> {
    return this.pages('listLedger', { query }, (entries) => entries, options);
  }

  /** The recorded markets that backtests can play, and the files that cannot be played. */
  fetchTapes(options?: CallOptions): Promise<Api.TapeList<D>> {
    return this.call('listTapes', {}, options);
  }

  /** Starts a backtest, and gives its address and its participants' keys. @throws TapeNotFound, BacktestLimit */
  startBacktest(settings: Api.StartBacktestInput<Api.Decimal>, options?: CommandOptions): Promise<Api.StartedBacktest> {
    return this.call('startBacktest', { body: settings }, options);
  }

  /** The fleet's backtests, newest first. */
  async fetchBacktests(options?: CallOptions): Promise<readonly Api.Backtest[]> {
    return (await this.call('listBacktests', {}, options)).backtests;
  }

  /** A backtest of the fleet. @throws BacktestNotFound */
  fetchBacktest(backtestId: string, options?: CallOptions): Promise<Api.Backtest> {
    return this.call('getBacktest', { params: { id: backtestId } }, options);
  }

  /** The report of a backtest; with `partial` also before its end. @throws BacktestNotFound, BacktestNotEnded */
  fetchBacktestReport(
    backtestId: string,
    { partial }: { readonly partial?: boolean } = {},
    options?: CallOptions,
  ): Promise<Api.BacktestReport<D>> {
    const query = { partial: flag(partial) };
    return this.call('getBacktestReport', { params: { id: backtestId }, query }, options);
  }

  /** The journal of a backtest, event by event, from a sequence on. @throws BacktestNotFound */
  fetchBacktestJournal(
    backtestId: string,
    query: ListQuery<'readBacktestJournal'> = {},
    options?: CallOptions,
  ): Pages<Api.JournalLine> {
    return this.pages('readBacktestJournal', { params: { id: backtestId }, query }, (lines) => lines, options);
  }

  /** Ends a backtest, and deletes its report and journal. @throws BacktestNotFound */
  async deleteBacktest(backtestId: string, options?: CallOptions): Promise<void> {
    await this.call('deleteBacktest', { params: { id: backtestId } }, options);
  }

  /** In a backtest: the time of its clock, and the accounts that it waits for. */
  fetchClock(options?: CallOptions): Promise<Api.BacktestClock> {
    return this.call('getClock', {}, options);
  }

  /** In a backtest: lets the clock move. `sleep`, `every` and the streams do that by themselves. */
  advanceClock(input: Api.AdvanceClockInput = {}, options?: CommandOptions): Promise<Api.AdvancedClock<D>> {
    return this.call('advanceClock', { body: input }, options);
  }

  /**
   * Plays a backtest to its end, with a client for each participant, and gives its report. `play` is called for all of
   * them at the same time. If it throws, the backtest is deleted, except after a refusal with `backtest_ended` or
   * `left_out`: the report has which participants were left out.
   *
   * ```ts
   * const report = await client.backtest({ tape: 'made-news' }, async (bot) => {
   *   for await (const now of bot.every(60_000)) console.log(new Date(now), await bot.fetchBalance());
   * });
   * ```
   */
  async backtest(
    settings: Api.StartBacktestInput<Api.Decimal>,
    play: (bot: PaperTradingClient<D>, seat: BacktestSeat) => unknown,
    options?: CallOptions,
  ): Promise<Api.BacktestReport<D>> {
    const { baseUrl, id, participants } = await this.startBacktest(settings, options);
    if (participants.some(({ apiKey }) => apiKey === undefined)) {
      // The answer with the keys was lost, and keys are shown only once.
      await this.deleteBacktest(id).catch(() => undefined);
      return this.backtest(settings, play, options);
    }
    try {
      const { participants: count = 1, patienceSeconds = PATIENCE_SECONDS } = settings;
      // A request may have to wait for the turns of all other participants.
      const limitMs = (count * patienceSeconds + PATIENCE_SECONDS) * 1_000;
      const limits = { retryForMs: limitMs, timeoutMs: limitMs, signal: options?.signal ?? this.options.signal };
      await Promise.all(
        participants.map(({ accountId, apiKey = '' }, turn) => {
          const bot = new PaperTradingClient<D>({ ...this.options, ...limits, baseUrl, key: apiKey });
          return playToEnd(bot, () => play(bot, { accountId, apiKey, backtestId: id, baseUrl, turn }));
        }),
      );
      await this.#waitForEnd(id, options);
    } catch (error) {
      await this.deleteBacktest(id).catch(() => undefined);
      throw error;
    }
    return this.fetchBacktestReport(id, {}, options);
  }

  /** The fleet's sub-accounts with their keys. */
  async fetchSubAccounts(options?: CallOptions): Promise<readonly Api.SubAccount<D>[]> {
    return (await this.call('listSubAccounts', {}, options)).subAccounts;
  }

  /** The fleet's keys: every live one, then the revoked ones. */
  fetchKeys(query: ListQuery<'listKeys'> = {}, options?: CallOptions): Pages<Api.FleetKey<D>> {
    return this.pages('listKeys', { query }, ({ keys }) => keys, options);
  }

  /**
   * Creates a sub-account with its first key. If the answer with the raw key is lost, the key is revoked and another
   * one issued. @throws KeyLost when that is not possible
   */
  async createSubAccount(
    input: Api.CreateSubAccountInput,
    options?: CommandOptions,
  ): Promise<Api.CreatedSubAccount<D>> {
    const created = await this.call('createSubAccount', { body: input }, options);
    return { ...created, apiKey: await this.#withRawKey(created.apiKey, created.subAccount.id) };
  }

  /** Closes a sub-account: its keys and orders end, its positions settle with their markets. */
  async closeSubAccount(accountId: string, options?: CommandOptions): Promise<void> {
    await this.call('closeSubAccount', { params: { id: accountId } }, options);
  }

  /** Creates a key for a sub-account, or for the primary itself. @throws KeyLost as createSubAccount does */
  async createKey(
    accountId: string,
    input: Api.CreateApiKeyInput,
    options?: CommandOptions,
  ): Promise<Api.IssuedApiKey<D>> {
    const request = { params: { id: accountId }, body: input };
    const { apiKey } = await this.call('createSubAccountKey', request, options);
    return this.#withRawKey(apiKey, accountId);
  }

  /** Revokes a key of the fleet. It stops working at once. */
  async revokeKey(keyId: string, options?: CommandOptions): Promise<void> {
    await this.call('revokeKey', { params: { keyId } }, options);
  }

  /** Limits what a key may do; null removes the limits. */
  async setMandate(
    keyId: string,
    mandate: Api.Mandate<Api.Decimal> | null,
    options?: CallOptions,
  ): Promise<Api.ApiKey<D>> {
    return (await this.call('setMandate', { params: { keyId }, body: mandate }, options)).key;
  }

  /**
   * Every event of the account's orders, fills, positions and cash, each once and in journal order. After a cut it
   * resumes after the last event. With `fleet` it also has the events of all sub-accounts.
   */
  watchAccount({ fleet }: { readonly fleet?: boolean } = {}, options: WatchOptions = {}): Watch<AccountEvent<D>> {
    return this.watch(
      {
        backtest: this.backtestStream((clock, signal) =>
          accountStream(clock, signal, fleet ?? false, async () => (await this.fetchMe()).accountId),
        ),
        name: operationName('streamAccount'),
        path: operationPath('streamAccount', { query: { fleet: flag(fleet) } }),
        resumes: true,
        silentMs: ACCOUNT_SILENT_MS,
        isWhole: () => false,
        toItem: ({ data }, _seq, resumed) => {
          const event = this.decimal(data, 'streamAccount') as Api.AccountEvent<D>;
          return { ...event, resumed };
        },
      },
      options,
    );
  }

  /** Waits until a backtest has ended. Where all participants were left out, it goes on without them. */
  async #waitForEnd(backtestId: string, options?: CallOptions): Promise<void> {
    while ((await this.fetchBacktest(backtestId, options)).state === 'running') {
      await this.sleep(STATE_PAUSE_MS, options);
    }
  }

  #withRawKey(issued: Api.IssuedApiKey<D>, accountId: string): Promise<Api.IssuedApiKey<D>> {
    const revoke = () => this.revokeKey(issued.id);
    return this.withRawKey(issued, accountId, revoke, (input) => this.createKey(accountId, input));
  }
}

/** A flag in a query, which is left out unless it is set. */
function flag(isSet: boolean | undefined): 'true' | undefined {
  return isSet === true ? 'true' : undefined;
}

function toUnits(amount: unknown): number {
  return Math.round(Number(amount) * UNITS);
}
