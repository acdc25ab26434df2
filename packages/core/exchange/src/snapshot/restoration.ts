import { rightsOf } from '../permissions.ts';
import { Account, ApiKey } from '../state/account.ts';
import type { AccountClosure, NameChange } from '../state/account.ts';
import { Order } from '../state/book.ts';
import type { FleetName } from '../state/idempotency.ts';
import { Market } from '../state/market.ts';
import { TextColumn, valueAt as at } from '../state/packed.ts';
import type { IdempotencyTable } from '../state/packed.ts';
import { createState, endClosings, fleetOf } from '../state/state.ts';
import type { State } from '../state/state.ts';
import type { TimerQueue, Timed } from '../state/timer-queue.ts';
import { OUTCOMES, SIDES } from '../vocabulary.ts';
import type { Mandate, Permission } from '../vocabulary.ts';
import { optionalFieldsIn } from './optional-columns.ts';
import { SNAPSHOT_VERSION } from './tables.ts';
import type { MarketFields, SnapshotTable, StateFields } from './tables.ts';

type TableOf<Kind extends SnapshotTable['kind']> = Extract<SnapshotTable, { readonly kind: Kind }>;

/** Restores a state from a snapshot's tables: call `add` for each table in order, then take the state from `end`. */
export class Restoration {
  readonly #state = createState();
  readonly #accounts: Account[] = [];
  readonly #markets: Market[] = [];
  /** Lists of permissions by their JSON. There are few different lists, so keys share them. */
  readonly #permissions = new Map<string, readonly Permission[]>();
  readonly #orders: Order[] = [];
  readonly #closing = new RestoredTimers<Market>();
  readonly #expiring = new RestoredTimers<Order>();
  readonly #switches = new RestoredTimers<Account>();
  readonly #idempotency: IdempotencyTable[] = [];
  readonly #clientOrderIds: IdempotencyTable[] = [];
  #rows = 0;
  #ended = false;
  readonly #add: { readonly [Kind in SnapshotTable['kind']]: (table: TableOf<Kind>) => void } = {
    state: (table) => this.#addState(table),
    account: (table) => this.#addAccounts(table),
    key: (table) => this.#addKeys(table),
    market: (table) => this.#addMarkets(table),
    place: (table) => this.#addPositions(table),
    order: (table) => this.#addOrders(table),
    run: (table) => this.#addRuns(table),
    signal: (table) => this.#addSignals(table),
    idempotency: (table) => this.#idempotency.push(table),
    client_order: (table) => this.#clientOrderIds.push(table),
    end: ({ columns }) => this.#finish(at(columns.rows, 0)),
  };

  /** Adds a table. @throws Error when it cannot follow the earlier tables: another version, or a damaged snapshot. */
  add(table: SnapshotTable): void {
    if (this.#ended || (this.#rows === 0) !== (table.kind === 'state')) {
      throw new Error(`after ${this.#rows} rows of a snapshot there cannot be one of the kind ${table.kind}`);
    }
    if (!Object.hasOwn(this.#add, table.kind)) throw new Error(`a snapshot has no rows of the kind ${table.kind}`);
    // The compiler cannot follow a table's type through a union to the function that takes the table.
    (this.#add[table.kind] as (table: SnapshotTable) => void)(table);
    this.#rows += table.rows;
  }

  /** The state. @throws Error when the last table is missing. */
  end(): State {
    if (!this.#ended) throw new Error(`the snapshot is cut off after ${this.#rows} rows`);
    return this.#state;
  }

  #addState({ columns }: TableOf<'state'>): void {
    const { version, ...fields } = JSON.parse(new TextColumn(columns.json).at(0)) as StateFields;
    if (version !== SNAPSHOT_VERSION) {
      throw new Error(`the snapshot is of version ${version}, this program reads version ${SNAPSHOT_VERSION}`);
    }
    Object.assign(this.#state, fields);
  }

  #addAccounts({ rows, columns }: TableOf<'account'>): void {
    const [id, openedBy] = [new TextColumn(columns.id), new TextColumn(columns.openedBy)];
    const [closure, renamed] = [new TextColumn(columns.closure), new TextColumn(columns.renamed)];
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
      account.openedBy = openedBy.at(row) || null;
      account.cashUnits = at(columns.cashUnits, row);
      account.reservedUnits = at(columns.reservedUnits, row);
      account.renamed = parsedOrNull(renamed.at(row)) as NameChange | null;
      account.closure = parsedOrNull(closure.at(row)) as AccountClosure | null;
      this.#state.forgottenSeq = Math.max(this.#state.forgottenSeq, account.closure?.forgottenSeq ?? 0);
      account.cancelsAt = optional(at(columns.cancelsAt, row));
      account.armedSeq = at(columns.armedSeq, row);
      this.#switches.note(account, at(columns.timerIndex, row));
      account.primary?.subAccounts.push(account);
      this.#accounts.push(account);
      this.#state.accounts.set(account.id, account);
    }
  }

  #addKeys({ rows, columns }: TableOf<'key'>): void {
    const [id, hash] = [new TextColumn(columns.id), new TextColumn(columns.hash)];
    const [lists, mandates] = [new TextColumn(columns.permissions), new TextColumn(columns.mandate)];
    for (let row = 0; row < rows; row += 1) {
      const permissions = this.#permissionsOf(lists.at(row));
      const key = new ApiKey(
        id.at(row),
        hash.at(row),
        this.#account(at(columns.account, row)),
        permissions,
        rightsOf(permissions),
      );
      key.mandate = parsedOrNull(mandates.at(row)) as Mandate | null;
      key.spentDay = at(columns.spentDay, row);
      key.spentUnits = at(columns.spentUnits, row);
      const revokedAt = at(columns.revokedAt, row);
      this.#state.keys.set(key.id, key);
      if (revokedAt < 0) {
        this.#state.keysByHash.set(key.hash, key);
        key.account.liveKeys.push(key);
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

  #addMarkets({ rows, columns }: TableOf<'market'>): void {
    const json = new TextColumn(columns.json);
    for (let row = 0; row < rows; row += 1) {
      const { timerIndex, ...fields } = JSON.parse(json.at(row)) as MarketFields;
      const market = marketOf(fields, this.#markets.length);
      this.#markets.push(market);
      this.#state.markets.set(market.id, market);
      this.#closing.note(market, timerIndex);
    }
  }

  #addPositions({ rows, columns }: TableOf<'place'>): void {
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

  #addOrders({ rows, columns }: TableOf<'order'>): void {
    const id = new TextColumn(columns.id);
    const given = optionalFieldsIn(columns);
    for (let row = 0; row < rows; row += 1) {
      const market = this.#market(at(columns.market, row));
      const positionIndex = at(columns.place, row);
      const position = mustFind(market.positions[positionIndex], `position ${positionIndex} of market ${market.id}`);
      const order = new Order(
        id.at(row),
        position,
        at(OUTCOMES, at(columns.outcome, row)),
        at(SIDES, at(columns.side, row)),
        at(columns.priceUnits, row),
        at(columns.quantity, row),
        at(columns.remaining, row),
        at(columns.acceptedSeq, row),
        at(columns.createdAt, row),
        given(row),
      );
      order.filledCostUnits = at(columns.filledCostUnits, row);
      order.isOpen = true;
      market.book.sideOf(order.outcome, order.side).add(order);
      this.#state.orders.set(order.id, order);
      this.#state.clientOrderIds.add(order);
      this.#orders.push(order);
      if (order.side === 'buy') position.countBuying(order.outcome, order.remaining);
      this.#expiring.note(order, at(columns.timerIndex, row));
    }
  }

  #addRuns({ rows, columns }: TableOf<'run'>): void {
    const marketId = new TextColumn(columns.marketId);
    for (let row = 0; row < rows; row += 1) {
      const id = marketId.at(row);
      this.#state.runs.set(id, mustFind(this.#state.markets.get(id), `market ${id}`));
    }
  }

  #addSignals({ rows, columns }: TableOf<'signal'>): void {
    const key = new TextColumn(columns.key);
    for (let row = 0; row < rows; row += 1) this.#state.signals.set(key.at(row), at(columns.seq, row));
  }

  #finish(rows: number): void {
    if (rows !== this.#rows) throw new Error(`the snapshot had ${rows} rows before its last, here are ${this.#rows}`);
    for (const order of this.#orders.sort((a, b) => a.acceptedSeq - b.acceptedSeq)) {
      order.position.account.addOrder(order);
    }
    this.#restoreClosings();
    this.#closing.putInto(this.#state.closing);
    this.#expiring.putInto(this.#state.expiring);
    this.#switches.putInto(this.#state.switches);
    const nameOf = (fleet: number, scope: string): FleetName => this.#fleetName(fleet, scope);
    this.#state.idempotency.restore(this.#idempotency, nameOf);
    this.#state.clientOrderIds.ended.restore(this.#clientOrderIds, nameOf);
    this.#ended = true;
  }

  /** A closing is pending while its accounts have live keys or open orders. */
  #restoreClosings(): void {
    const closed = this.#accounts.filter(({ closure }) => closure !== null);
    for (const account of closed.sort((a, b) => (a.closure?.seq ?? 0) - (b.closure?.seq ?? 0))) {
      this.#state.closings.set(account.id, account);
      endClosings(this.#state, account);
    }
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

class RestoredTimers<T extends Timed> {
  readonly #noted: { readonly index: number; readonly item: T }[] = [];

  /** `index`: the item's index in the queue, −1 when it is not in it. */
  note(item: T, index: number): void {
    if (index >= 0) this.#noted.push({ index, item });
  }

  /** Adds the items in their order in the former heap, so that no item moves and the heap is identical. */
  putInto(queue: TimerQueue<T>): void {
    for (const { item } of this.#noted.sort((a, b) => a.index - b.index)) queue.put(item);
  }
}

/** A nullable number from its column, where −1 stands for null. */
function optional(value: number): number | null {
  return value < 0 ? null : value;
}

/** A nullable object from its JSON, where the empty text stands for null. */
function parsedOrNull(json: string): unknown {
  return json === '' ? null : (JSON.parse(json) as unknown);
}

function marketOf(fields: Omit<MarketFields, 'timerIndex'>, rank: number): Market {
  const listed = {
    ...fields,
    at: fields.createdAt,
    marketId: fields.id,
    phase: 'scheduled',
    type: 'MarketListed',
  } as const;
  const market = new Market(listed, rank);
  if (fields.phase === 'resolved' || fields.phase === 'void') market.end();
  return Object.assign(market, fields);
}

function mustFind<T>(found: T | null | undefined, what: string): T {
  if (found === null || found === undefined) throw new Error(`the snapshot names ${what}, which does not stand in it`);
  return found;
}
