import { COMMANDS, PLAIN_ORDER } from '@paper/exchange/commands';
import { EVENTS, NOT_REPEATED } from '@paper/exchange/events';
import { inPrivate, listOf, nullable, objectOf, sortKeys } from '@paper/exchange/fields';
import type { CommandType } from '@paper/exchange/commands';
import type { EventType } from '@paper/exchange/events';
import type { Fields } from '@paper/exchange/fields';
import { publicNameDigest } from './name-digest.ts';

/**
 * How events and commands are stored, version by version. The exchange declares the current versions, this file the
 * earlier ones, which are no longer written but stay in journals for ever. Versions, upcasters, schemas and private
 * fields follow.
 */

/** A JSON object as some version of the program stored it: its shape is known only after upcasting. */
export type Stored = Readonly<Record<string, unknown>>;

/** Makes version n + 1 of a stored object from version n. Pure, total, and never changed once released. */
type Upcast = (old: Stored) => Stored;

interface FormerEvent {
  readonly fields: Fields;
  readonly upcast: Upcast;
}

interface FormerCommand {
  readonly privateFields: readonly string[];
  readonly upcast: Upcast;
}

/** The upcaster for a version with the same fields, where only the private part or the values of a field differ. */
const asItIs: Upcast = (old) => old;

/** In version 1 an opening had the display name in public text for ever; now it has a digest in its place. */
const hideName: Upcast = (old) => {
  const { displayName, ...rest } = old;
  return sortKeys({ ...rest, nameDigest: publicNameDigest(String(displayName)) });
};

/** Version 1 of an epoch's settings neither limited nor forgot revoked keys, so both limits are set out of reach. */
const withKeyLimits: Upcast = (old) => {
  const added = { revokedKeyWindowMs: Number.MAX_SAFE_INTEGER, revokedKeysPerAccount: Number.MAX_SAFE_INTEGER };
  return { ...old, settings: sortKeys({ ...(old['settings'] as Stored), ...added }) };
};

/** Version 1 of an order had none of the tools of rules version 3. */
const withoutTools: Upcast = (old) => ({ ...old, ...PLAIN_ORDER });

/** Version 1 of a listing had neither the company's weight nor drivers, and every market had the tick of $0.0001. */
const withListingDefaults: Upcast = (old) => sortKeys({ ...old, companyImpact: 0, drivers: [], tickUnits: 1 });

const openingV1 = { accountId: 'uuid', displayName: 'text', startingBalanceUnits: 'units' } as const;

const listingV1 = {
  bodyHash: 'sha256',
  category: 'text',
  citationUrl: nullable('text'),
  closesAt: 'instant',
  companySlug: 'text',
  description: nullable('text'),
  marketId: 'id',
  phase: ['active', 'scheduled'],
  priorUnits: 'priceUnits',
  sector: 'text',
  settlementSource: 'text',
  ticker: 'text',
  title: 'text',
} as const;

const epochV1 = {
  build: 'text',
  epoch: 'positive',
  rulesVersion: 'positive',
  settings: objectOf({
    complianceMode: ['paper', 'kyc'],
    fillsPerCommand: 'positive',
    idempotencyEntries: 'count',
    idempotencyWindowMs: 'count',
    liveKeysPerAccount: 'count',
    openOrdersPerAccount: 'count',
    runChunk: 'positive',
    startingBalanceUnits: 'units',
    subAccountsPerPrimary: 'count',
  }),
  writerId: 'text',
} as const;

/** Version 1 of the events that change an order had none of the order's own fields. */
const withoutOrderFields: Upcast = (old) => ({ ...old, ...NOT_REPEATED });

const changeV1 = {
  accountId: 'uuid',
  createdAt: 'time',
  marketId: 'id',
  orderId: 'uuid',
  outcome: ['yes', 'no'],
  priceUnits: 'priceUnits',
  quantity: 'positive',
  side: ['buy', 'sell'],
} as const;

const orderV1 = {
  accountId: 'uuid',
  fillQuantity: 'count',
  marketId: 'id',
  notionalUnits: nullable('units'),
  orderId: 'uuid',
  orderType: ['limit', 'market'],
  outcome: ['yes', 'no'],
  priceUnits: 'priceUnits',
  quantity: 'count',
  restQuantity: 'count',
  side: ['buy', 'sell'],
  timeInForce: ['GTC', 'IOC', 'FOK'],
} as const;

const PERMISSIONS_V1 = listOf(['view', 'trade', 'master', 'reconcile']);

/** Oldest first, without `at` and `type`, which every version of every event has. */
const FORMER_EVENTS: { readonly [T in EventType]?: readonly FormerEvent[] } = {
  AccountOpened: [{ fields: openingV1, upcast: hideName }],
  ApiKeyIssued: [
    {
      // The key's name, permissions and last characters were public in version 1.
      fields: {
        accountId: 'uuid',
        keyHash: inPrivate('sha256'),
        keyId: 'uuid',
        last4: 'last4',
        name: 'text',
        permissions: PERMISSIONS_V1,
      },
      upcast: asItIs,
    },
  ],
  MarketListed: [
    {
      fields: listingV1,
      upcast: withListingDefaults,
    },
    // In this version no market was listed as closed; everything else is the same.
    {
      fields: { ...listingV1, companyImpact: 'fraction', drivers: listOf('text'), tickUnits: 'tickUnits' },
      upcast: asItIs,
    },
  ],
  OrderAmended: [{ fields: { ...changeV1, remaining: 'positive', removed: 'positive' }, upcast: withoutOrderFields }],
  OrderPlaced: [{ fields: orderV1, upcast: (old) => ({ ...withoutTools(old), keyId: null, spentUnits: 0 }) }],
  OrderReplaced: [
    {
      fields: {
        ...changeV1,
        filledQuantity: 'count',
        fillQuantity: 'count',
        formerPriceUnits: 'priceUnits',
        formerRemaining: 'positive',
        keyId: inPrivate('uuid'),
        restQuantity: 'count',
        spentUnits: inPrivate('units'),
      },
      upcast: withoutOrderFields,
    },
  ],
  SubAccountOpened: [
    { fields: { ...openingV1, permissions: PERMISSIONS_V1, primaryAccountId: 'uuid' }, upcast: hideName },
  ],
  WriterEpochStarted: [{ fields: epochV1, upcast: withKeyLimits }],
};

/** Former versions of commands. They have no schema: a reader decides a command again and compares the events. */
const FORMER_COMMANDS: { readonly [T in CommandType]?: readonly FormerCommand[] } = {
  // The key's name, permissions and last characters were public in version 1.
  IssueApiKey: [{ privateFields: ['keyHash'], upcast: asItIs }],
  ListMarket: [
    { privateFields: [], upcast: withListingDefaults },
    // In version 2 no market was listed as closed.
    { privateFields: [], upcast: asItIs },
  ],
  OpenAccount: [{ privateFields: ['keyHash'], upcast: hideName }],
  OpenSubAccount: [{ privateFields: ['keyHash'], upcast: hideName }],
  PlaceOrder: [{ privateFields: [], upcast: (old) => ({ ...withoutTools(old), accountId: null }) }],
  StartWriterEpoch: [{ privateFields: [], upcast: withKeyLimits }],
};

/** The sender of a command, and fields that would reveal it, are private in all commands and versions. */
const PRIVATE_OF_EVERY_COMMAND: readonly string[] = ['by', 'idempotency'];
const NONE: readonly string[] = [];

/** What hot paths need to know about a type of event or command, derived once when the module is loaded. */
interface Format {
  /** The sorted names of each version's private fields, oldest version first. Null: every field is public. */
  readonly privateFields: readonly (readonly string[])[] | null;
  /** The upcasters: the one at index n − 1 leads from version n to n + 1. */
  readonly upcasts: readonly Upcast[];
  readonly split: Split;
}

/** How the current version of a type becomes two texts: its private fields, and all that the public text omits. */
export interface Split {
  readonly version: number;
  readonly privateFields: readonly string[];
  readonly omittedFields: ReadonlySet<string>;
}

/** The command's three ids, which the envelope holds. */
const IN_ENVELOPE = ['causationId', 'correlationId', 'id'];

function formatOf(
  versions: readonly (readonly string[])[],
  former: readonly { readonly upcast: Upcast }[],
  always = NONE,
): Format {
  const isPublic = versions.every((names) => names.length === 0);
  const all = isPublic ? null : versions.map((names) => [...always, ...names].sort());
  const privateFields = all?.at(-1) ?? always;
  const omittedFields = new Set([...privateFields, ...IN_ENVELOPE]);
  return {
    privateFields: all,
    split: { omittedFields, privateFields, version: versions.length },
    upcasts: former.map(({ upcast }) => upcast),
  };
}

function privateNames(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => Object.hasOwn(Object(fields[name]) as object, 'private'));
}

/** The formats of events, by type. `fields`: those of each version, oldest first, without `at` and `type`. */
const eventFormats = new Map<string, Format & { readonly fields: readonly Fields[] }>(
  Object.entries(EVENTS).map(([type, current]) => {
    const former = FORMER_EVENTS[type as EventType] ?? [];
    const fields = [...former.map((version) => version.fields), current];
    return [type, { fields, ...formatOf(fields.map(privateNames), former) }];
  }),
);

const commandFormats = new Map<string, Format>(
  Object.entries(COMMANDS).map(([type, current]) => {
    const former = FORMER_COMMANDS[type as CommandType] ?? [];
    const versions = [...former.map(({ privateFields }) => privateFields), privateNames(current)];
    return [type, formatOf(versions, former, PRIVATE_OF_EVERY_COMMAND)];
  }),
);

export function eventSplit(type: EventType): Split {
  return (eventFormats.get(type) as Format).split;
}

export function commandSplit(type: CommandType): Split {
  return (commandFormats.get(type) as Format).split;
}

export function eventVersion(type: EventType): number {
  return eventFormats.get(type)?.split.version ?? 1;
}

/** Upcasts a stored event to its current version. @throws Error for an unknown type or version. */
export function upcastEvent(stored: Stored, version: number): Stored {
  return stepwise('event', eventFormats, stored, version);
}

/** Upcasts a stored command to its current version. @throws Error for an unknown type or version. */
export function upcastCommand(stored: Stored, version: number): Stored {
  return stepwise('command', commandFormats, stored, version);
}

function stepwise(what: string, known: ReadonlyMap<string, Format>, stored: Stored, version: number): Stored {
  const type = String(stored['type']);
  const steps = known.get(type)?.upcasts;
  if (steps === undefined) throw new Error(`${what} type ${type} is unknown here`);
  if (!Number.isInteger(version) || version < 1 || version > steps.length + 1) {
    throw new Error(`${what} ${type} version ${version} is unknown here, the current one is ${steps.length + 1}`);
  }
  let current = stored;
  for (let from = version; from <= steps.length; from++) current = steps[from - 1]?.(current) ?? current;
  return current;
}

/** The fields of an event in this version, without `at` and `type`; undefined for an unknown version. */
export function eventFields(type: EventType, version: number): Fields | undefined {
  return eventFormats.get(type)?.fields[version - 1];
}

/** The private fields of this version of an event, sorted; undefined where there are none, or it is unknown. */
export function privateEventFields(type: string, version: number): readonly string[] | undefined {
  const versions = eventFormats.get(type)?.privateFields ?? null;
  return versions === null ? NONE : versions[version - 1];
}

/** The private fields of a command's version, always with actor and Idempotency-Key; undefined if it is unknown. */
export function privateCommandFields(type: string, version: number): readonly string[] | undefined {
  const format = commandFormats.get(type);
  if (format === undefined) return undefined;
  return format.privateFields === null ? PRIVATE_OF_EVERY_COMMAND : format.privateFields[version - 1];
}

/** The display name in the public text of an event that opened an account in version 1; null for all other events. */
export function formerNameIn(event: Stored, version: number): string | null {
  const name = version === 1 ? event['displayName'] : undefined;
  return typeof name === 'string' ? name : null;
}

/** A version of a type of event, with its public and private fields. */
export interface DescribedEvent {
  readonly type: string;
  readonly version: number;
  readonly publicFields: readonly string[];
  readonly privateFields: readonly string[];
}

/** Every version of every type of event, from its declaration. The generated documentation uses it. */
export function describedEvents(): readonly DescribedEvent[] {
  return [...eventFormats].sort(byType).flatMap(([type, { fields: versions }]) =>
    versions.map((fields, index) => {
      const privateFields = privateEventFields(type, index + 1) ?? NONE;
      const names = ['at', ...Object.keys(fields)].sort();
      const publicFields = names.filter((name) => !privateFields.includes(name));
      return { type, version: index + 1, privateFields, publicFields };
    }),
  );
}

/** The private fields of commands that have more of them than every command has, by version. */
export function describedCommands(): readonly Omit<DescribedEvent, 'publicFields'>[] {
  return [...commandFormats]
    .sort(byType)
    .flatMap(([type, { privateFields }]) =>
      (privateFields ?? []).map((fields, index) => ({ type, version: index + 1, privateFields: fields })),
    );
}

function byType([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
