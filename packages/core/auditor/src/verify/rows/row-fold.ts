import type { EventOf, JudgedEvent, OrderAnnounced } from '../../events/judged-events.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { MarketRows, signalRow } from './market-rows.ts';
import type { Emit, EventPosition, Row } from './row.ts';
import { TradeRows } from './trade-rows.ts';
import type { TradeTotals } from './trade-rows.ts';

const DAY_MS = 86_400_000;

interface AccountState {
  readonly opening: Row;
  readonly traded: TradeTotals;
  approved: boolean;
  cancelsAt: number | null;
  closedSeq: number | null;
  forgottenSeq: number | null;
}

/**
 * Computes every row of the read models by the auditor's own fold. A row is emitted once no later event can change it,
 * so ended orders and markets take no memory. For each event call `before`, then the ledger's fold, then `after`.
 */
export class RowFold {
  readonly #markets = new Map<string, MarketRows>();
  readonly #accounts = new Map<string, AccountState>();
  readonly #keys = new Map<string, Row>();
  readonly #subAccounts = new Map<string, number>();
  readonly #trades: TradeRows;
  #settings: Row | null = null;
  #half = 0;

  constructor(
    private readonly ledger: Ledger,
    private readonly emit: Emit,
  ) {
    this.#trades = new TradeRows(emit);
  }

  before(event: JudgedEvent): void {
    const market = this.#marketOf(event);
    market?.before(event.at);
    this.#half = market?.probabilityHalf ?? 0;
  }

  /** @param formerName the display name in an account's opening of version 1 */
  after(event: JudgedEvent, position: EventPosition, formerName: string | null = null): void {
    switch (event.type) {
      case 'WriterEpochStarted':
        this.#settings = {
          starting_balance_units: event.settings.startingBalanceUnits,
          compliance_mode: event.settings.complianceMode,
        };
        return;
      case 'AccountOpened':
      case 'SubAccountOpened':
        this.#open(event, position, formerName);
        return;
      case 'AccountRenamed': {
        const { accountId: account_id, nameDigest: name_digest } = event;
        this.emit('account_names', { account_id, name_digest, seq: position.seq });
        return;
      }
      case 'AccountApproved':
        this.#account(event.accountId).approved = true;
        return;
      case 'AccountClosed':
        this.#account(event.accountId).closedSeq = position.seq;
        return;
      case 'DisplayNameForgotten':
        this.#account(event.accountId).forgottenSeq = position.seq;
        return;
      case 'ApiKeyIssued':
        this.#issue(event, position);
        return;
      case 'ApiKeyRevoked':
        this.#changeKey(event.keyId, { revoked_at_ms: event.at, revoked_seq: position.seq });
        return;
      case 'DeadManSwitchSet':
        this.#account(event.accountId).cancelsAt = event.cancelsAt ?? null;
        return;
      case 'MandateSet':
        this.#changeKey(event.keyId, { mandate: event.mandate ? JSON.stringify(event.mandate) : null });
        return;
      default:
        this.#afterOfMarket(event, position);
    }
  }

  /** Yields a few of the rows at a time that a later event could have changed. No event may come meanwhile. */
  *finish(): Generator<void> {
    if (this.#settings !== null) this.emit('settings', { name: 'main', ...this.#settings });
    for (const [id, { approved, cancelsAt, closedSeq, forgottenSeq, opening, traded }] of this.#accounts) {
      this.emit('accounts', {
        ...opening,
        ...traded,
        approved,
        cancels_at_ms: cancelsAt,
        cash_units: this.ledger.account(id).cash,
        closed_seq: closedSeq,
        forgotten_seq: forgottenSeq,
        ...(forgottenSeq === null ? {} : { display_name: null }),
      });
      yield;
    }
    for (const key of this.#keys.values()) {
      const { forgottenSeq } = this.#account(String(key['account_id']));
      this.emit('api_keys', forgottenSeq === null ? key : { ...key, name: 'forgotten' });
      yield;
    }
    for (const market of this.#markets.values()) {
      market.finish();
      yield;
    }
    yield* this.#trades.finish();
    for (const { marketId, holdings } of this.ledger.markets.values()) {
      for (const { accountId, cost, shares } of holdings.values()) {
        this.emit('positions', {
          account_id: accountId,
          market_id: marketId,
          yes_shares: shares.yes,
          no_shares: shares.no,
          yes_cost_units: cost.yes,
          no_cost_units: cost.no,
        });
        yield;
      }
    }
  }

  #afterOfMarket(event: JudgedEvent, position: EventPosition): void {
    if (event.type === 'SignalRecorded' && event.marketId === null) {
      this.emit('signals', signalRow(event, position));
      return;
    }
    if (event.type === 'MarketListed') {
      const book = this.ledger.market(event.marketId);
      this.#markets.set(event.marketId, new MarketRows(event, position, book, this.emit));
    }
    const market = this.#marketOf(event);
    market?.after(event, position, this.#half);
    this.#takeTrade(event, position, market);
  }

  #takeTrade(event: JudgedEvent, position: EventPosition, market: MarketRows | undefined): void {
    switch (event.type) {
      case 'OrderPlaced':
        this.#spend(event);
        this.#trades.place(event, position);
        return;
      case 'OrderReplaced':
        this.#spend(event);
        this.#trades.change(event, position);
        return;
      case 'OrderAmended':
        this.#trades.change(event, position);
        return;
      case 'OrderCancelled':
        this.#trades.cancel(event, position);
        return;
      case 'SharesMerged':
        this.#trades.merge(event, position, this.#holdings(event.accountId, event.marketId));
        return;
      case 'PositionSettled':
        this.#trades.settle(event, position, this.ledger.account(event.accountId).cash);
        return;
      case 'OrderFilled': {
        const halves = [this.#half, market?.probabilityHalf ?? 0] as const;
        this.#trades.fill(event, position, halves, (id) => ({
          traded: this.#account(id).traded,
          has: this.#holdings(id, event.marketId),
        }));
        return;
      }
      default:
    }
  }

  /** The account's cash, and its position in the event's market. */
  #holdings(accountId: string, marketId: string): Row {
    const nothing = { shares: { yes: 0, no: 0 }, cost: { yes: 0, no: 0 } };
    const { shares, cost } = this.ledger.market(marketId).holdings.get(accountId) ?? nothing;
    return {
      cash_after_units: this.ledger.account(accountId).cash,
      yes_shares_after: shares.yes,
      no_shares_after: shares.no,
      yes_cost_after_units: cost.yes,
      no_cost_after_units: cost.no,
    };
  }

  #spend({ at, keyId, spentUnits }: OrderAnnounced): void {
    if (!keyId || !spentUnits) return;
    const { spent_day: day, spent_units: units } = this.#keys.get(keyId) ?? {};
    const today = Math.floor(at / DAY_MS);
    this.#changeKey(keyId, { spent_day: today, spent_units: spentUnits + (day === today ? Number(units) : 0) });
  }

  #changeKey(keyId: string, change: Row): void {
    this.#keys.set(keyId, Object.assign(this.#keys.get(keyId) ?? {}, change));
  }

  #marketOf(event: JudgedEvent): MarketRows | undefined {
    return 'marketId' in event && event.marketId !== null ? this.#markets.get(event.marketId) : undefined;
  }

  #account(id: string): AccountState {
    const account = this.#accounts.get(id);
    if (account === undefined) throw new Error(`no account ${id}`);
    return account;
  }

  #open(event: EventOf<'AccountOpened' | 'SubAccountOpened'>, { seq }: EventPosition, formerName: string | null): void {
    const isSub = event.type === 'SubAccountOpened';
    const primary = isSub ? (event.primaryAccountId ?? null) : null;
    const number = primary === null ? null : (this.#subAccounts.get(primary) ?? 0) + 1;
    if (primary !== null && number !== null) this.#subAccounts.set(primary, number);
    const opening = {
      id: event.accountId,
      primary_account_id: primary,
      sub_account_number: number,
      display_name: formerName,
      starting_balance_units: event.startingBalanceUnits,
      permissions: isSub ? event.permissions : [],
      created_at_ms: event.at,
      created_seq: seq,
    };
    const traded = { trades: 0, volume_units: 0, last_fill_minute_ms: null };
    const changes = { approved: false, cancelsAt: null, closedSeq: null, forgottenSeq: null };
    this.#accounts.set(event.accountId, { opening, traded, ...changes });
  }

  #issue(event: EventOf<'ApiKeyIssued'>, { seq }: EventPosition): void {
    this.#keys.set(event.keyId, {
      id: event.keyId,
      account_id: event.accountId,
      key_hash: event.keyHash,
      name: event.name,
      permissions: event.permissions,
      last4: event.last4,
      created_at_ms: event.at,
      created_seq: seq,
      revoked_at_ms: null,
      revoked_seq: null,
      mandate: null,
      spent_day: 0,
      spent_units: 0,
    });
  }
}
