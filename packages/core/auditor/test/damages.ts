import type { StoredEvent } from '@paper/journal';
import type { Check } from '../src/index.ts';
import { rehashed } from './audited-journal.ts';

/** A damaged journal, and the fault that an audit must report. */
export interface Damaged {
  readonly events: readonly StoredEvent[];
  readonly check: Check;
  /** The sequence that the fault must name. */
  readonly seq: number;
  /** A pattern of the fault's message. */
  readonly tells: RegExp;
}

export type Damage = (events: readonly StoredEvent[]) => Damaged;

interface PublicText {
  readonly command?: Readonly<Record<string, unknown>>;
  readonly event: Readonly<Record<string, unknown>>;
}

const publicOf = (event: StoredEvent): PublicText => JSON.parse(event.publicText) as PublicText;

const indexOfType = (events: readonly StoredEvent[], type: string): number =>
  events.findIndex((event, index) => event.type === type && index > events.length / 3);

/** Changes one of the events. */
function changed(
  events: readonly StoredEvent[],
  index: number,
  change: (event: StoredEvent) => StoredEvent,
): StoredEvent[] {
  return events.map((event, at) => (at === index ? change(event) : event));
}

/** Changes fields of the public text outside the event; undefined removes a field. */
export const withText =
  (said: object) =>
  (event: StoredEvent): StoredEvent => ({
    ...event,
    publicText: JSON.stringify({ ...publicOf(event), ...said }),
  });

/** Changes fields of an event in its stored text. */
export const withFields =
  (fields: object) =>
  (event: StoredEvent): StoredEvent =>
    withText({ event: { ...publicOf(event).event, ...fields } })(event);

/** Renumbers the rows without changing the texts, as an edit of the table alone would. */
const renumbered = (events: readonly StoredEvent[]): StoredEvent[] =>
  events.map((event, index) => ({ ...event, seq: index + 1 }));

/** Damages that leave the hashes unchanged. */
export const EDITS: Readonly<Record<string, Damage>> = {
  'one changed digit': (events) => {
    const index = indexOfType(events, 'OrderPlaced');
    const edit = (event: StoredEvent): StoredEvent => ({
      ...event,
      publicText: event.publicText.replace(
        /("quantity":\d*)(\d)/,
        (_, head: string, digit: string) => head + String((Number(digit) + 1) % 10),
      ),
    });
    return {
      events: changed(events, index, edit),
      check: 'hash chain',
      seq: index + 1,
      tells: /OrderPlaced .* the stored hash is/,
    };
  },
  'a swapped pair': (events) => {
    const index = 700;
    const [a, b] = [events[index], events[index + 1]] as [StoredEvent, StoredEvent];
    const swapped = [...events.slice(0, index), b, a, ...events.slice(index + 2)];
    return {
      events: renumbered(swapped),
      check: 'hash chain',
      seq: index + 1,
      tells: /its public text has the sequence 702/,
    };
  },
  'a deleted event': (events) => ({
    events: events.filter((_, index) => index !== 900),
    check: 'contiguous sequence',
    seq: 901,
    tells: /no event is there, the next one is 902/,
  }),
  'a decision that is cut off at the end': (events) => {
    const index = events.findLastIndex((event) => event.type === 'OrderFilled');
    return {
      events: events.slice(0, index),
      check: 'whole decisions',
      seq: index + 1,
      tells: /the last decision is cut off; right would be: the rest of its events/,
    };
  },
  'an inserted event': (events) => {
    const copy = { ...(events[500] as StoredEvent), id: '01900000-0000-7000-8000-000000000000' };
    const inserted = renumbered([...events.slice(0, 800), copy, ...events.slice(800)]);
    return { events: inserted, check: 'hash chain', seq: 801, tells: /01900000-0000-7000-8000-000000000000/ };
  },
  'a changed hash': (events) => ({
    events: changed(events, 1_200, (event) => ({
      ...event,
      hash: event.hash.replace(/^./, (hex) => (hex === '0' ? '1' : '0')),
    })),
    check: 'hash chain',
    seq: 1_201,
    tells: /right would be: [0-9a-f]{64} for these texts/,
  }),
  'private parts exchanged': (events) => {
    const index = indexOfType(events, 'OrderPlaced');
    const other = events.findIndex(
      (event, at) => at > index && event.type === 'OrderCancelled' && event.privateText !== null,
    );
    const [a, b] = [events[index], events[other]] as [StoredEvent, StoredEvent];
    const exchanged = changed(
      changed(events, index, (event) => ({ ...event, privateText: b.privateText })),
      other,
      (event) => ({ ...event, privateText: a.privateText }),
    );
    return { events: exchanged, check: 'hash chain', seq: index + 1, tells: /OrderPlaced/ };
  },
  'another type beside the text': (events) => {
    const index = indexOfType(events, 'OrderFilled');
    const retyped = changed(events, index, (event) => ({ ...event, type: 'OrderCancelled' }));
    return {
      events: retyped,
      check: 'schema',
      seq: index + 1,
      tells: /has the type OrderFilled; right would be: OrderCancelled/,
    };
  },
  'another id beside the text': (events) => {
    const index = indexOfType(events, 'SignalRecorded');
    const renamed = changed(events, index, (event) => ({ ...event, id: '01900000-0000-7000-8000-000000000001' }));
    return { events: renamed, check: 'schema', seq: index + 1, tells: /its public text has the id/ };
  },
};

/** Changes one of the events and recomputes all later hashes. */
export const forged = (
  events: readonly StoredEvent[],
  index: number,
  change: (event: StoredEvent) => StoredEvent,
): StoredEvent[] => rehashed(changed(events, index, change));

/** A forgery of the last event of a type whose text suits: changes fields of the event. */
function forgedLast(
  events: readonly StoredEvent[],
  type: string,
  suits: (text: PublicText) => boolean,
  change: (event: PublicText['event']) => object,
): { readonly events: readonly StoredEvent[]; readonly seq: number } {
  const index = events.findLastIndex((stored) => stored.type === type && suits(publicOf(stored)));
  const { event } = publicOf(events[index] as StoredEvent);
  return { events: forged(events, index, withFields(change(event))), seq: index + 1 };
}

const any = (): boolean => true;

/** Forgeries with a valid chain: every hash from there on was recomputed. */
export const FORGERIES: Readonly<Record<string, Damage>> = {
  'a merge that pays a dollar more': (events) => ({
    ...forgedLast(events, 'SharesMerged', any, ({ cashUnits }) => ({ cashUnits: Number(cashUnits) + 10_000 })),
    check: 'conservation',
    tells: /"money is conserved" is broken/,
  }),
  'an expiry of an order that its owner cancelled': (events) => ({
    ...forgedLast(
      events,
      'OrderCancelled',
      ({ event }) => event['reason'] === 'user',
      () => ({ reason: 'expired' }),
    ),
    check: 'conservation',
    tells: /"nothing outlives its time" is broken: .*right would be: \{.*"reason":"user"/,
  }),
  'a total that is lowered by less than it says': (events) => ({
    ...forgedLast(events, 'OrderAmended', any, ({ removed }) => ({ removed: Number(removed) + 1 })),
    check: 'conservation',
    tells: /"quantities add up" is broken/,
  }),
  'a replacement from another price': (events) => ({
    ...forgedLast(events, 'OrderReplaced', any, ({ formerPriceUnits }) => ({
      formerPriceUnits: Number(formerPriceUnits) === 100 ? 200 : 100,
    })),
    check: 'conservation',
    tells: /"quantities add up" is broken/,
  }),
  'an order that was not asked to be post-only': (events) => ({
    ...forgedLast(
      events,
      'OrderPlaced',
      ({ event }) => event['postOnly'] === true,
      () => ({ postOnly: false }),
    ),
    check: 'decided again',
    tells: /the order has the postOnly false; right would be: the postOnly true, as its command asks for/,
  }),
  'an amendment to another total than was asked for': (events) => ({
    ...forgedLast(
      events,
      'OrderReplaced',
      ({ command }) => command?.['quantity'] !== null,
      ({ quantity, restQuantity }) => ({ quantity: Number(quantity) + 1, restQuantity: Number(restQuantity) + 1 }),
    ),
    check: 'decided again',
    tells: /the order has the quantity \d+; right would be: the quantity \d+, as its command asks for/,
  }),
  'a sale that takes another cost off': (events) => {
    const index = events.findIndex(
      (event) => event.type === 'OrderFilled' && publicOf(event).event['makerSide'] === 'sell',
    );
    const cost = Number(publicOf(events[index] as StoredEvent).event['makerCostUnits']) + 1;
    return {
      events: forged(events, index, withFields({ makerCostUnits: cost })),
      check: 'conservation',
      seq: index + 1,
      tells: /"costs are right" is broken: .*right would be: \{"at":.*"makerCostUnits":/,
    };
  },
  'a payout of a unit more': (events) => {
    const index = events.findIndex((event) => event.type === 'PositionSettled');
    const payout = Number(publicOf(events[index] as StoredEvent).event['payoutUnits']) + 1;
    return {
      events: forged(events, index, withFields({ payoutUnits: payout })),
      check: 'conservation',
      seq: index + 1,
      tells: /"settlement pays exactly" is broken/,
    };
  },
  'an account opened with more than was decided': (events) => {
    // An account that never merges shares: those events say its cash, so they show it also where parts are withheld.
    const merging = new Set(
      events.filter(({ type }) => type === 'SharesMerged').map((event) => publicOf(event).event['accountId']),
    );
    const index = events.findIndex(
      (event) => event.type === 'AccountOpened' && !merging.has(publicOf(event).event['accountId']),
    );
    return {
      events: forged(events, index, withFields({ startingBalanceUnits: 99_999_999_999 })),
      check: 'decided again',
      seq: index + 1,
      tells: /the journal has .*99999999999.*right would be: \{.*"startingBalanceUnits":/,
    };
  },
  'an event that its command does not decide to': (events) => {
    const index = indexOfType(events, 'SignalRecorded');
    return {
      events: forged(events, index, withFields({ headline: 'something else' })),
      check: 'decided again',
      seq: index + 1,
      tells: /something else/,
    };
  },
  'an order that is taken out of the history': (events) => {
    // An order that its owner soon cancelled, so that other accounts' events in between did not depend on it.
    const [soonest = { index: 0, cancel: 0 }] = events
      .flatMap((placed, index) => {
        if (placed.type !== 'OrderPlaced') return [];
        const orderId = String(publicOf(placed).event['orderId']);
        const cancel = events.findIndex((event, at) => at > index && event.publicText.includes(orderId));
        const isByUser = events[cancel]?.publicText.includes('"reason":"user","resting":true') === true;
        return isByUser ? [{ index, cancel }] : [];
      })
      .sort((x, y) => x.cancel - x.index - (y.cancel - y.index));
    const { index, cancel } = soonest;
    return {
      events: rehashed(events.filter((_, at) => at !== index)),
      check: 'conservation',
      seq: cancel,
      tells: /no such order rests.*right would be: no event: decided again, the command is unknown_order/,
    };
  },
  'a decision that lacks an event': (events) => {
    const index = events.findIndex((event, at) => at > 600 && event.type === 'OrderFilled');
    return {
      events: rehashed(events.filter((_, at) => at !== index)),
      check: 'whole decisions',
      seq: index + 1,
      tells: /right would be/,
    };
  },
  'an epoch that goes back': (events) => {
    const index = events.findLastIndex((event) => event.type === 'WriterEpochStarted');
    return {
      events: forged(events, index, withFields({ epoch: 1 })),
      check: 'epochs',
      seq: index + 1,
      tells: /epoch 1 starts after epoch \d+; right would be: epoch/,
    };
  },
  'a command that is decided twice': (events) => {
    const index = indexOfType(events, 'SignalRecorded');
    return {
      events: rehashed([...events, events[index] as StoredEvent]),
      check: 'unique ids',
      seq: events.length + 1,
      tells: new RegExp(
        `its command .* was decided at sequence ${index + 1} already, and its events have the same ids`,
      ),
    };
  },
  'a text that is not canonical': (events) => ({
    events: forged(events, 400, (event) => ({
      ...event,
      publicText: event.publicText.replace(',"event"', ', "event"'),
    })),
    check: 'schema',
    seq: 401,
    tells: /not canonical; right would be: the RFC 8785 text/,
  }),
  'a field that does not belong there': (events) => {
    const index = indexOfType(events, 'OrderPlaced');
    return {
      events: forged(events, index, withFields({ zzz: 1 })),
      check: 'schema',
      seq: index + 1,
      tells: /event OrderPlaced does not fit its schema/,
    };
  },
  'an event that is null': (events) => {
    const index = indexOfType(events, 'OrderPlaced');
    return {
      events: forged(events, index, withText({ event: null })),
      check: 'schema',
      seq: index + 1,
      tells: /OrderPlaced .* its public text has the event null; right would be: an object/,
    };
  },
  'an id of a command that is a number': (events) => {
    const index = indexOfType(events, 'OrderPlaced');
    return {
      events: forged(events, index, withText({ commandId: 5 })),
      check: 'schema',
      seq: index + 1,
      tells: /OrderPlaced .* its public text has commandId 5; right would be: a string/,
    };
  },
  'a cause that is null': (events) => {
    const index = indexOfType(events, 'OrderFilled');
    return {
      events: forged(events, index, withText({ causationId: null })),
      check: 'schema',
      seq: index + 1,
      tells: /OrderFilled .* its public text has causationId null; right would be: a string/,
    };
  },
  'a private event that is null': (events) => {
    const index = events.findIndex((event) => event.type === 'ApiKeyIssued');
    const withoutEvent = (event: StoredEvent): StoredEvent => {
      const secret = JSON.parse(event.privateText ?? '{}') as object;
      return { ...event, privateText: JSON.stringify({ ...secret, event: null }) };
    };
    return {
      events: forged(events, index, withoutEvent),
      check: 'schema',
      seq: index + 1,
      tells: /ApiKeyIssued .* its private text has the event null; right would be: an object/,
    };
  },
  'a command by another client': (events) => {
    const others = events.filter((event) => event.type === 'OrderPlaced');
    const index = events.findIndex((event) => event.type === 'OrderPlaced');
    const by = (event: StoredEvent | undefined): unknown =>
      (JSON.parse(event?.privateText ?? '{}') as { command: { by: unknown } }).command.by;
    const own = JSON.stringify(by(events[index]));
    const stranger = others.map(by).find((actor) => JSON.stringify(actor) !== own);
    const exchange = (event: StoredEvent): StoredEvent => {
      const secret = JSON.parse(event.privateText ?? '{}') as { command: object };
      return { ...event, privateText: JSON.stringify({ ...secret, command: { ...secret.command, by: stranger } }) };
    };
    return { events: forged(events, index, exchange), check: 'decided again', seq: index + 1, tells: /OrderPlaced/ };
  },
};
