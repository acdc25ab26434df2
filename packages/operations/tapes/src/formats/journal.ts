import { inOwnTerms } from '@paper/exchange/vocabulary';
import type { Outcome, Side } from '@paper/exchange/vocabulary';
import type { PublicEvent } from '@paper/exchange/events';
import { decodePublicEvent } from '@paper/journal';
import { objectOf } from '../format.ts';
import type { ChangeMessage, Message, TapeFormat } from '../format.ts';
import { MICROS_PER_SHARE } from '../sizes.ts';
import type { BookSide } from '../tape-event.ts';

/** NDJSON from GET /api/journal: a backtest can replay any exchange of this program. */
export const journal: TapeFormat = {
  name: 'journal',
  title: 'a journal of this exchange',
  synthetic: false,
  recognizes: (line) => typeof objectOf(line)?.['publicText'] === 'string',
  createReader() {
    const reader = new JournalReader();
    return (line) => reader.read(line);
  },
};

type Placed = Extract<PublicEvent, { readonly type: 'OrderPlaced' | 'OrderReplaced' }>;
type Filled = Extract<PublicEvent, { readonly type: 'OrderFilled' }>;

class JournalReader {
  /** What enters the book after the taking order's last fill. */
  #taking: { left: number; readonly rest: ChangeMessage } | null = null;
  /** The latest closing time of each market. */
  readonly #closesAtMs = new Map<string, number>();
  /** The settled markets, whose later events (cancels) are ignored. */
  readonly #settled = new Set<string>();

  read(line: string): readonly Message[] | null {
    const stored = objectOf(line);
    if (typeof stored?.['publicText'] !== 'string') return null;
    const { publicText } = stored;
    try {
      const text = { hash: '', id: '', privateText: null, publicText, seq: Number(stored['seq']), type: '' };
      const { event } = decodePublicEvent(text);
      return 'marketId' in event && this.#settled.has(String(event.marketId)) ? [] : this.#messagesOf(event);
    } catch {
      return null;
    }
  }

  #messagesOf(event: PublicEvent): readonly Message[] {
    switch (event.type) {
      case 'MarketListed': {
        const { closesAt: closesAtMs, priorUnits, tickUnits, title } = event;
        this.#closesAtMs.set(event.marketId, closesAtMs);
        return [{ kind: 'listed', ...ofMarket(event), title, closesAtMs, tickUnits, priorUnits }];
      }
      case 'MarketAmended': {
        // A backtest lists a market once, at its beginning: what was changed later would tell the future. Trades after
        // the first closing time need the later one.
        const closesAtMs = Math.max(event.closesAt, this.#closesAtMs.get(event.marketId) ?? 0);
        this.#closesAtMs.set(event.marketId, closesAtMs);
        return [{ kind: 'listed', ...ofMarket(event), closesAtMs }];
      }
      case 'OrderPlaced':
        return this.#entering(event);
      case 'OrderReplaced':
        return [
          change({ ...event, priceUnits: event.formerPriceUnits }, -event.formerRemaining),
          ...this.#entering(event),
        ];
      case 'OrderAmended':
        return [change(event, -event.removed)];
      case 'OrderCancelled':
        return event.resting ? [change(event, -event.quantity)] : [];
      case 'OrderFilled':
        return this.#filled(event);
      case 'MarketResolved':
        return this.#settle(event, event.outcome, null);
      case 'MarketVoided':
        return this.#settle(event, 'void', event.priceUnits);
      default:
        return [];
    }
  }

  #entering(event: Placed): readonly Message[] {
    const rest = change(event, event.restQuantity);
    this.#taking = event.fillQuantity === 0 ? null : { left: event.fillQuantity, rest };
    return event.fillQuantity === 0 && event.restQuantity > 0 ? [rest] : [];
  }

  #filled(event: Filled): readonly Message[] {
    const { quantity, takerOutcome, takerSide, yesPriceUnits } = event;
    const trade: Message = {
      kind: 'trade',
      ...ofMarket(event),
      exchangeMs: null,
      movesLevel: true,
      priceUnits: yesPriceUnits,
      sizeMicros: quantity * MICROS_PER_SHARE,
      taker: sideOf(takerOutcome, takerSide) === 'bid' ? 'yes' : 'no',
    };
    const taking = this.#taking;
    if (taking === null) return [trade];
    taking.left -= quantity;
    if (taking.left > 0) return [trade];
    this.#taking = null;
    return taking.rest.deltaMicros === 0 ? [trade] : [trade, taking.rest];
  }

  #settle(event: OfMarket, outcome: Outcome | 'void', priceUnits: number | null): readonly Message[] {
    this.#settled.add(event.marketId);
    return [{ kind: 'outcome', ...ofMarket(event), outcome, priceUnits }];
  }
}

interface OfMarket {
  readonly at: number;
  readonly marketId: string;
}

const ofMarket = ({ at, marketId }: OfMarket) => ({ atMs: at, market: marketId });

/** An order's side in YES terms: a buyer of NO, like a seller of YES, is an ask. */
const sideOf = (outcome: Outcome, side: Side): BookSide => ((outcome === 'yes') === (side === 'buy') ? 'bid' : 'ask');

type Resting = OfMarket & { readonly outcome: Outcome; readonly priceUnits: number; readonly side: Side };

function change(event: Resting, quantity: number): ChangeMessage {
  return {
    kind: 'change',
    ...ofMarket(event),
    exchangeMs: null,
    side: sideOf(event.outcome, event.side),
    priceUnits: inOwnTerms(event.outcome, event.priceUnits),
    deltaMicros: quantity * MICROS_PER_SHARE,
  };
}
