import type { StoredEvent } from '@paper/journal';
import { rehashed } from './audited-journal.ts';
import { forged, withText } from './damages.ts';
import type { Damage } from './damages.ts';

/**
 * Forgeries of ids, and of whether a field is public or private. All hashes are recomputed, the texts are canonical,
 * and most commands still decide to the same events.
 */

type Fields = Readonly<Record<string, unknown>>;

interface Texts {
  readonly visible: { readonly command: Fields; readonly event: Fields };
  readonly hidden: { readonly command?: Fields; readonly event?: Fields; readonly salt: string };
}

const textsOf = (event: StoredEvent | undefined): Texts => ({
  hidden: JSON.parse(event?.privateText ?? '{}') as Texts['hidden'],
  visible: JSON.parse(event?.publicText ?? '{}') as Texts['visible'],
});

/** Keys in alphabetical order, as in canonical texts. */
const sorted = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Changes fields of a part's command or event. */
const withPublic =
  (name: 'command' | 'event', fields: Fields) =>
  (event: StoredEvent): StoredEvent =>
    withText({ [name]: sorted({ ...textsOf(event).visible[name], ...fields }) })(event);
const withPrivate =
  (name: 'command' | 'event', fields: Fields) =>
  (event: StoredEvent): StoredEvent => {
    const { hidden } = textsOf(event);
    const changed = { ...hidden, [name]: sorted({ ...hidden[name], ...fields }) };
    return { ...event, privateText: JSON.stringify(changed) };
  };

const both =
  (...changes: readonly ((event: StoredEvent) => StoredEvent)[]) =>
  (event: StoredEvent): StoredEvent =>
    changes.reduce((changed, change) => change(changed), event);

/** An order with a quantity and no other amount, in the second half. */
const orderByQuantity = (events: readonly StoredEvent[]): number =>
  events.findIndex((event, index) => {
    if (index <= events.length / 2 || event.type !== 'OrderPlaced') return false;
    const { command } = textsOf(event).visible;
    return command['notionalUnits'] === null && typeof command['quantity'] === 'number';
  });

const firstOfType = (events: readonly StoredEvent[], type: string, from = 0): number =>
  events.findIndex((event, index) => index >= from && event.type === type);

/** Replaces the second id by the first one everywhere, so that two things share an id. */
function reused(events: readonly StoredEvent[], name: string, first: number, second: number): readonly StoredEvent[] {
  const idOf = (index: number): string => String(textsOf(events[index]).visible.event[name]);
  const [kept, lost] = [idOf(first), idOf(second)];
  const replace = (text: string): string => text.replaceAll(lost, kept);
  return rehashed(
    events.map((event) => ({
      ...event,
      privateText: event.privateText === null ? null : replace(event.privateText),
      publicText: replace(event.publicText),
    })),
  );
}

/** Damages of parts: a field in the wrong part, or of the wrong form. */
export const PART_FORGERIES: Readonly<Record<string, Damage>> = {
  'a public quantity that the private part overrides': (events) => {
    const index = orderByQuantity(events);
    const { quantity } = textsOf(events[index]).visible.command;
    const change = both(
      withPublic('command', { quantity: Number(quantity) + 1 }),
      withPrivate('command', { quantity }),
    );
    return {
      events: forged(events, index, change),
      check: 'schema',
      seq: index + 1,
      tells: /the private part of its command PlaceOrder of version 2 does not fit: Unrecognized key: "quantity"/,
    };
  },
  'a public time of an event that the private part overrides': (events) => {
    const index = firstOfType(events, 'ApiKeyIssued');
    const { at } = textsOf(events[index]).visible.event;
    return {
      events: forged(events, index, both(withPublic('event', { at: Number(at) + 1 }), withPrivate('event', { at }))),
      check: 'schema',
      seq: index + 1,
      tells: /the private part of its event does not fit: Unrecognized key: "at"/,
    };
  },
  'a private field that is public, too': (events) => {
    const index = firstOfType(events, 'ApiKeyIssued');
    const { keyHash } = textsOf(events[index]).hidden.event ?? {};
    return {
      events: forged(events, index, withPublic('event', { keyHash })),
      check: 'schema',
      seq: index + 1,
      tells: /event ApiKeyIssued does not fit its schema: .*Unrecognized key: "keyHash"/,
    };
  },
  'a sender who is public, too': (events) => {
    const index = orderByQuantity(events);
    const { by } = textsOf(events[index]).hidden.command ?? {};
    return {
      events: forged(events, index, withPublic('command', { by })),
      check: 'schema',
      seq: index + 1,
      tells: /its command PlaceOrder of version 2 does not fit: Unrecognized key: "by"/,
    };
  },
  'a command with a field more': (events) => {
    const index = firstOfType(events, 'OrderCancelled', 900);
    const at = events.findIndex((event, place) => place >= index && 'command' in textsOf(event).visible);
    return {
      events: forged(events, at, withPublic('command', { zzz: 1 })),
      check: 'schema',
      seq: at + 1,
      tells: /its command \w+ of version \d+ does not fit: Unrecognized key: "zzz"/,
    };
  },
  'a command whose quantity is a text': (events) => {
    const index = orderByQuantity(events);
    return {
      events: forged(events, index, withPublic('command', { quantity: '5' })),
      check: 'schema',
      seq: index + 1,
      tells: /its command PlaceOrder of version 2 does not fit: quantity: /,
    };
  },
  'a command of an unknown version': (events) => {
    const index = orderByQuantity(events);
    return {
      events: forged(events, index, withText({ commandVersion: 99 })),
      check: 'schema',
      seq: index + 1,
      tells: /its command is PlaceOrder of version 99; right would be: a command that this auditor knows/,
    };
  },
  'a command that is null': (events) => {
    const index = orderByQuantity(events);
    return {
      events: forged(events, index, withText({ command: null })),
      check: 'schema',
      seq: index + 1,
      tells: /its public text has the command null; right would be: an object/,
    };
  },
  'a sender of no kind': (events) => {
    const index = orderByQuantity(events);
    return {
      events: forged(events, index, withPrivate('command', { by: { kind: 'friend' } })),
      check: 'schema',
      seq: index + 1,
      tells: /the private part of its command PlaceOrder of version 2 does not fit: by: /,
    };
  },
  'an Idempotency-Key without a fingerprint': (events) => {
    const index = orderByQuantity(events);
    return {
      events: forged(events, index, withPrivate('command', { idempotency: { key: 'k' } })),
      check: 'schema',
      seq: index + 1,
      tells: /the private part of its command PlaceOrder of version 2 does not fit: idempotency: /,
    };
  },
  'a hash of a key that is none': (events) => {
    const index = firstOfType(events, 'ApiKeyIssued');
    return {
      events: forged(events, index, withPrivate('event', { keyHash: 'secret' })),
      check: 'schema',
      seq: index + 1,
      tells: /the private part of its event does not fit: keyHash: /,
    };
  },
};

/** Ids that are used twice, and causes that do not exist. */
export const ID_FORGERIES: Readonly<Record<string, Damage>> = {
  'an order id that is used again': (events) => {
    const first = firstOfType(events, 'OrderPlaced');
    const second = firstOfType(events, 'OrderPlaced', events.length / 2);
    return {
      events: reused(events, 'orderId', first, second),
      check: 'unique ids',
      seq: second + 1,
      tells: new RegExp(
        `its orderId [0-9a-f-]{36} was given at sequence ${first + 1} already; right would be: a orderId`,
      ),
    };
  },
  'a key id that is used again': (events) => {
    const first = firstOfType(events, 'ApiKeyIssued');
    const second = firstOfType(events, 'ApiKeyIssued', first + 1);
    return {
      events: reused(events, 'keyId', first, second),
      check: 'unique ids',
      seq: second + 1,
      tells: new RegExp(`its keyId [0-9a-f-]{36} was given at sequence ${first + 1} already`),
    };
  },
  'an account id that is used again': (events) => {
    const first = firstOfType(events, 'AccountOpened');
    const second = firstOfType(events, 'AccountOpened', first + 1);
    return {
      events: reused(events, 'accountId', first, second),
      check: 'unique ids',
      seq: second + 1,
      tells: new RegExp(`its accountId [0-9a-f-]{36} was given at sequence ${first + 1} already`),
    };
  },
  'a causation that names a stranger': (events) => {
    const causationId = '01900000-0000-7000-8000-00000000abcd';
    return ofSignal(
      events,
      { causationId },
      /its cause is [0-9a-f-]+abcd, and no command or event before it has this id/,
    );
  },
  'a causation that names what comes later': (events) => {
    const later = (JSON.parse(events.at(-1)?.publicText ?? '{}') as { commandId: string }).commandId;
    return ofSignal(events, { causationId: later }, /its cause is [0-9a-f-]{36}, and no command or event before it/);
  },
  'a causation that names an event that its decision never had': (events) => {
    const causationId = `${events[0]?.id.slice(0, -3) ?? ''}7ff`;
    return ofSignal(events, { causationId }, /its cause is [0-9a-f-]{33}7ff, and no command or event before it/);
  },
  'a causation in capitals': (events) => {
    const causationId = (events[0]?.id ?? '').toUpperCase();
    return ofSignal(events, { causationId }, /its cause is [0-9A-F-]{36}, and no command or event before it/);
  },
  'a correlation that is not the root of its cause': (events) => {
    const causationId = events[0]?.id ?? '';
    return ofSignal(
      events,
      { causationId },
      /its root is [0-9a-f-]{36}; right would be: [0-9a-f-]{36}, the root of its cause/,
    );
  },
  'a correlation that names a stranger': (events) => {
    const correlationId = '01900000-0000-7000-8000-00000000abcd';
    return ofSignal(events, { correlationId }, /its root is [0-9a-f-]+abcd; right would be: /);
  },
};

/** The fields beside the event in the public text of a signal, whose decision has one event. */
function ofSignal(events: readonly StoredEvent[], said: Fields, tells: RegExp): ReturnType<Damage> {
  const index = firstOfType(events, 'SignalRecorded', events.length / 3);
  return { events: forged(events, index, withText(said)), check: 'whole decisions', seq: index + 1, tells };
}

/** Forgeries that cannot be detected without the commands' private parts. */
export const HIDDEN: ReadonlySet<string> = new Set([
  'an account opened with more than was decided',
  'an event that its command does not decide to',
  'a command by another client',
  'a private event that is null',
  'a public time of an event that the private part overrides',
  'a sender of no kind',
  'an Idempotency-Key without a fingerprint',
  'a hash of a key that is none',
]);
