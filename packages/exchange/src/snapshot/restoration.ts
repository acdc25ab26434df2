import { Account, ApiKey } from '../account.ts';
import { Order } from '../book.ts';
import { Market } from '../market.ts';
import { rightsOf } from '../permissions.ts';
import { createState } from '../state.ts';
import type { State } from '../state.ts';
import { SNAPSHOT_VERSION } from './lines.ts';
import type { AccountLine, KeyLine, MarketFields, OrderLine, PlaceLine, SnapshotLine, StateLine } from './lines.ts';

/** Makes a state of a snapshot's lines: `add` each in its order, then take it from `end`. */
export class Restoration {
  private readonly state = createState();
  private readonly accounts: Account[] = [];
  /** The market whose places and orders come now. */
  private market: Market | null = null;
  /** Markets that stand in the close queue, with their index there. */
  private readonly closing: { readonly market: Market; readonly index: number }[] = [];
  private lines = 0;
  private ended = false;

  /** @throws Error for a line that cannot stand here: the snapshot is of another version, or damaged. */
  add(line: SnapshotLine): void {
    if (this.ended || (this.lines === 0) !== (line[0] === 'state')) {
      throw new Error(`line ${this.lines + 1} of a snapshot cannot be of the kind ${line[0]}`);
    }
    switch (line[0]) {
      case 'state':
        this.begin(line[1]);
        break;
      case 'account':
        this.addAccount(line);
        break;
      case 'key':
        this.addKey(line);
        break;
      case 'market':
        this.addMarket(line[1]);
        break;
      case 'place':
        this.addPlace(line);
        break;
      case 'order':
        this.addOrder(line);
        break;
      case 'run':
        this.state.runs.set(line[1], known(this.state.markets.get(line[1]), `market ${line[1]}`));
        break;
      case 'signal':
        this.state.signals.set(line[1], line[2]);
        break;
      case 'idempotency':
        this.state.idempotency.remember(line[1], line[2], line[3], line[4]);
        break;
      case 'end':
        this.finish(line[1]);
        break;
      default:
        throw new Error(`a snapshot has no line of the kind ${String(line[0])}`);
    }
    this.lines += 1;
  }

  /** The state. @throws Error when the last line has not come. */
  end(): State {
    if (!this.ended) {
      throw new Error(`the snapshot is cut off after ${this.lines} lines`);
    }
    return this.state;
  }

  private begin(line: StateLine[1]): void {
    if (line.version !== SNAPSHOT_VERSION) {
      throw new Error(`the snapshot is of version ${line.version}, this program reads version ${SNAPSHOT_VERSION}`);
    }
    const { state } = this;
    state.seq = line.seq;
    state.lastAt = line.lastAt;
    state.epoch = line.epoch;
    state.settings = line.settings;
    state.grantedUnits = line.grantedUnits;
  }

  private addAccount(line: AccountLine): void {
    const [, id, displayName, createdAt, startingBalanceUnits, primary] = line;
    const owner = primary === null ? null : this.account(primary);
    const account = new Account(id, displayName, createdAt, startingBalanceUnits, owner);
    account.approved = line[6];
    account.cashUnits = line[7];
    account.reservedUnits = line[8];
    account.openOrders = line[9];
    account.liveKeys = line[10];
    account.subAccounts = line[11];
    this.accounts.push(account);
    this.state.accounts.set(id, account);
  }

  private addKey([, id, hash, account, permissions, revoked]: KeyLine): void {
    const key = new ApiKey(id, hash, this.account(account), permissions, rightsOf(permissions));
    key.revoked = revoked;
    this.state.keys.set(id, key);
    if (!revoked) {
      this.state.keysByHash.set(hash, key);
    }
  }

  private addMarket(fields: MarketFields): void {
    const market = marketOf(fields);
    this.market = market;
    this.state.markets.set(market.id, market);
    if (fields.closeIndex >= 0) {
      this.closing.push({ index: fields.closeIndex, market });
    }
  }

  private addPlace(line: PlaceLine): void {
    const place = known(this.market, 'the market of a place').takePlace(this.account(line[1]));
    place.yes = line[2];
    place.no = line[3];
    place.yesCostUnits = line[4];
    place.noCostUnits = line[5];
    place.yesReserved = line[6];
    place.noReserved = line[7];
    place.settled = line[8];
  }

  private addOrder([, id, place, outcome, side, priceUnits, remaining]: OrderLine): void {
    const market = known(this.market, 'the market of an order');
    const position = known(market.places[place], `place ${place} of market ${market.id}`);
    const order = new Order(id, position, outcome, side, priceUnits, remaining);
    market.book.sideOf(outcome, side).add(order);
    this.state.orders.set(id, order);
  }

  private finish(lines: number): void {
    if (lines !== this.lines) {
      throw new Error(`the snapshot had ${lines} lines before its last, here are ${this.lines}`);
    }
    // In the order in which they stood: none rises over another, so that the queue is the same.
    for (const { market } of this.closing.sort((a, b) => a.index - b.index)) {
      this.state.closing.put(market);
    }
    this.ended = true;
  }

  private account(number: number): Account {
    return known(this.accounts[number], `account ${number}`);
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

function known<T>(found: T | null | undefined, what: string): T {
  if (found === null || found === undefined) {
    throw new Error(`the snapshot names ${what}, which does not stand in it`);
  }
  return found;
}
