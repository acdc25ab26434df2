import { Account, ApiKey } from '../account.ts';
import { Order } from '../book.ts';
import type { FleetName } from '../idempotency.ts';
import { Market } from '../market.ts';
import { rightsOf } from '../permissions.ts';
import { createState, fleetOf } from '../state.ts';
import type { State } from '../state.ts';
import { SNAPSHOT_VERSION } from './tables.ts';
import type {
  AccountTable,
  IdempotencyTable,
  KeyTable,
  MarketFields,
  MarketTable,
  OrderTable,
  PositionTable,
  RunTable,
  SignalTable,
  SnapshotTable,
  StateFields,
  StateTable,
} from './tables.ts';
import { TextColumn } from './texts.ts';
import { OUTCOMES, SIDES } from '../vocabulary.ts';
import type { Permission } from '../vocabulary.ts';

/** Restores a state from a snapshot's tables: call `add` for each table in order, then take the state from `end`. */
export class Restoration {
  readonly #state = createState();
  readonly #accounts: Account[] = [];
  readonly #markets: Market[] = [];
  /** Lists of permissions by their JSON: there are few, and each is one for all keys that have it. */
  readonly #permissions = new Map<string, readonly Permission[]>();
  /** The markets in the close queue, with their index in it. */
  readonly #closing: { readonly market: Market; readonly index: number }[] = [];
  readonly #idempotency: IdempotencyTable[] = [];
  #rows = 0;
  #ended = false;

  /**
   * @throws Error for a table that cannot follow the tables before it: the snapshot is of another version, or damaged.
   */
  add(table: SnapshotTable): void {
    if (this.#ended || (this.#rows === 0) !== (table.kind === 'state')) {
      throw new Error(`after ${this.#rows} rows of a snapshot there cannot be one of the kind ${table.kind}`);
    }
    switch (table.kind) {
      case 'state':
        this.#begin(table);
        break;
      case 'account':
        this.#addAccounts(table);
        break;
      case 'key':
        this.#addKeys(table);
        break;
      case 'market':
        this.#addMarkets(table);
        break;
      case 'place':
        this.#addPositions(table);
        break;
      case 'order':
        this.#addOrders(table);
        break;
      case 'run':
        this.#addRuns(table);
        break;
      case 'signal':
        this.#addSignals(table);
        break;
      case 'idempotency':
        this.#idempotency.push(table);
        break;
      case 'end':
        this.#finish(at(table.columns.rows, 0));
        break;
      default:
        throw new Error(`a snapshot has no rows of the kind ${String((table as { kind: unknown }).kind)}`);
    }
    this.#rows += table.rows;
  }

  /** The state. @throws Error when the last table has not come. */
  end(): State {
    if (!this.#ended) throw new Error(`the snapshot is cut off after ${this.#rows} rows`);
    return this.#state;
  }

  #begin({ columns }: StateTable): void {
    const fields = JSON.parse(new TextColumn(columns.json).at(0)) as StateFields;
    if (fields.version !== SNAPSHOT_VERSION) {
      throw new Error(`the snapshot is of version ${fields.version}, this program reads version ${SNAPSHOT_VERSION}`);
    }
    const state = this.#state;
    state.seq = fields.seq;
    state.lastAt = fields.lastAt;
    state.epoch = fields.epoch;
    state.rulesVersion = fields.rulesVersion;
    state.settings = fields.settings;
    state.grantedUnits = fields.grantedUnits;
  }

  #addAccounts({ rows, columns }: AccountTable): void {
    const id = new TextColumn(columns.id);
    for (let row = 0; row < rows; row += 1) {
      const primary = at(columns.primary, row);
      const account = new Account(
        this.#accounts.length,
        id.at(row),
        at(columns.createdAt, row),
        at(columns.startingBalanceUnits, row),
        primary < 0 ? null : this.#account(primary),
      );
      account.approved = at(columns.approved, row) === 1;
      account.cashUnits = at(columns.cashUnits, row);
      account.reservedUnits = at(columns.reservedUnits, row);
      account.openOrders = at(columns.openOrders, row);
      account.liveKeys = at(columns.liveKeys, row);
      account.subAccounts = at(columns.subAccounts, row);
      this.#accounts.push(account);
      this.#state.accounts.set(account.id, account);
    }
  }

  #addKeys({ rows, columns }: KeyTable): void {
    const [id, hash] = [new TextColumn(columns.id), new TextColumn(columns.hash)];
    const lists = new TextColumn(columns.permissions);
    for (let row = 0; row < rows; row += 1) {
      const permissions = this.#permissionsOf(lists.at(row));
      const key = new ApiKey(
        id.at(row),
        hash.at(row),
        this.#account(at(columns.account, row)),
        permissions,
        rightsOf(permissions),
      );
      const revokedAt = at(columns.revokedAt, row);
      this.#state.keys.set(key.id, key);
      if (revokedAt < 0) {
        this.#state.keysByHash.set(key.hash, key);
      } else {
        key.revokedAt = revokedAt;
        this.#state.revokedKeys.add(key);
      }
    }
  }

  #permissionsOf(json: string): readonly Permission[] {
    let list = this.#permissions.get(json);
    if (list === undefined) {
      list = JSON.parse(json) as readonly Permission[];
      this.#permissions.set(json, list);
    }
    return list;
  }

  #addMarkets({ rows, columns }: MarketTable): void {
    const json = new TextColumn(columns.json);
    for (let row = 0; row < rows; row += 1) {
      const fields = JSON.parse(json.at(row)) as MarketFields;
      const market = marketOf(fields);
      this.#markets.push(market);
      this.#state.markets.set(market.id, market);
      if (fields.closeIndex >= 0) {
        this.#closing.push({ index: fields.closeIndex, market });
      }
    }
  }

  #addPositions({ rows, columns }: PositionTable): void {
    for (let row = 0; row < rows; row += 1) {
      const position = this.#market(at(columns.market, row)).openPosition(this.#account(at(columns.account, row)));
      position.yes = at(columns.yes, row);
      position.no = at(columns.no, row);
      position.yesCostUnits = at(columns.yesCostUnits, row);
      position.noCostUnits = at(columns.noCostUnits, row);
      position.yesReserved = at(columns.yesReserved, row);
      position.noReserved = at(columns.noReserved, row);
      position.settled = at(columns.settled, row) === 1;
    }
  }

  #addOrders({ rows, columns }: OrderTable): void {
    const id = new TextColumn(columns.id);
    for (let row = 0; row < rows; row += 1) {
      const market = this.#market(at(columns.market, row));
      const positionIndex = at(columns.place, row);
      const order = new Order(
        id.at(row),
        mustFind(market.positions[positionIndex], `position ${positionIndex} of market ${market.id}`),
        at(OUTCOMES, at(columns.outcome, row)),
        at(SIDES, at(columns.side, row)),
        at(columns.priceUnits, row),
        at(columns.remaining, row),
      );
      market.book.sideOf(order.outcome, order.side).add(order);
      this.#state.orders.set(order.id, order);
    }
  }

  #addRuns({ rows, columns }: RunTable): void {
    const marketId = new TextColumn(columns.marketId);
    for (let row = 0; row < rows; row += 1) {
      const id = marketId.at(row);
      this.#state.runs.set(id, mustFind(this.#state.markets.get(id), `market ${id}`));
    }
  }

  #addSignals({ rows, columns }: SignalTable): void {
    const key = new TextColumn(columns.key);
    for (let row = 0; row < rows; row += 1) {
      this.#state.signals.set(key.at(row), at(columns.seq, row));
    }
  }

  #finish(rows: number): void {
    if (rows !== this.#rows) throw new Error(`the snapshot had ${rows} rows before its last, here are ${this.#rows}`);
    // The markets are added in their former order in the heap. None rises above another, so the queue is the same.
    for (const { market } of this.#closing.sort((a, b) => a.index - b.index)) {
      this.#state.closing.put(market);
    }
    this.#state.idempotency.restore(this.#idempotency, (fleet, scope) => this.#fleetName(fleet, scope));
    this.#ended = true;
  }

  #fleetName(number: number, scope: string): FleetName {
    return fleetOf(this.#state, number < 0 ? scope.slice(0, scope.indexOf('\n')) : this.#account(number).id);
  }

  #account(number: number): Account {
    return mustFind(this.#accounts[number], `account ${number}`);
  }

  #market(number: number): Market {
    return mustFind(this.#markets[number], `market ${number}`);
  }
}

function marketOf(fields: MarketFields): Market {
  const market = new Market({
    ...fields,
    at: fields.createdAt,
    marketId: fields.id,
    phase: 'scheduled',
    type: 'MarketListed',
  });
  market.hasClosingTime = fields.hasClosingTime;
  market.phase = fields.phase;
  market.pairs = fields.pairs;
  market.poolUnits = fields.poolUnits;
  market.volume = fields.volume;
  market.lastTradeUnits = fields.lastTradeUnits;
  market.lastSeq = fields.lastSeq;
  market.resolvedOutcome = fields.resolvedOutcome;
  market.yesPayoutUnits = fields.yesPayoutUnits;
  market.resolvedAt = fields.resolvedAt;
  market.run = fields.run;
  market.settlement = fields.settlement;
  market.cancelledInRun = fields.cancelledInRun;
  market.settledInRun = fields.settledInRun;
  market.paidInRunUnits = fields.paidInRunUnits;
  if (fields.phase === 'resolved' || fields.phase === 'void') {
    market.end();
  }
  market.settledUpTo = fields.settledUpTo;
  return market;
}

/** A column's value. */
function at<T>(column: ArrayLike<T>, row: number): T {
  const value = column[row];
  if (value === undefined) throw new Error(`a column of the snapshot ends before row ${row}`);
  return value;
}

function mustFind<T>(found: T | null | undefined, what: string): T {
  if (found === null || found === undefined) throw new Error(`the snapshot names ${what}, which does not stand in it`);
  return found;
}
