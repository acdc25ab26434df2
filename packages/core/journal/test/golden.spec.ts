import { PLAIN_ORDER } from '@paper/exchange/commands';
import type { Command } from '@paper/exchange/commands';
import { REPEATED_ORDER_FIELDS } from '@paper/exchange/events';
import type { EventType } from '@paper/exchange/events';
import { expect } from 'chai';
import { eventVersion } from '../src/formats.ts';
import {
  checkChain,
  decode,
  decodeEvent,
  decodePublic,
  EMPTY_HEAD,
  encodeDecision,
  publicNameDigest,
  validateEvent,
} from '../src/index.ts';
import type { Head, StoredEvent } from '../src/index.ts';
import { goldenFiles, goldenVectors, isOfToday } from './golden/golden.ts';
import type { GoldenVector } from './golden/golden.ts';
import { sampleEvents } from './sample-events.ts';

const vectors = goldenFiles.flat();

/** Before version 2 of WriterEpochStarted neither of these was limited. */
const WITHOUT_LIMIT = {
  revokedKeyWindowMs: Number.MAX_SAFE_INTEGER,
  revokedKeysPerAccount: Number.MAX_SAFE_INTEGER,
};

/**
 * Adds the fields that today's readers see and readers of the vector's time did not, in its event and its command: by the
 * type alone where a present field stays, else by type and version.
 */
const ADDED_SINCE: Readonly<Record<string, (part: object) => object>> = {
  'AccountOpened 1': hideName,
  OrderAmended: withFieldsOfOrder,
  OrderPlaced: (part) =>
    'fillQuantity' in part
      ? { ...PLAIN_ORDER, keyId: null, spentUnits: 0, ...part }
      : { ...PLAIN_ORDER, accountId: null, ...part },
  OrderReplaced: withFieldsOfOrder,
  'SubAccountOpened 1': hideName,
  'WriterEpochStarted 1': (part) => ({
    ...part,
    settings: { ...(part as { readonly settings: object }).settings, ...WITHOUT_LIMIT },
  }),
};

/** A name that is in the text itself has a digest without salt. */
function hideName(part: object): object {
  const { displayName, ...rest } = part as { readonly displayName: string };
  return { ...rest, nameDigest: publicNameDigest(displayName) };
}

/** The event of an order's change, other than its command, repeats the order's own fields: null where it did not yet. */
function withFieldsOfOrder(part: object): object {
  const absent = Object.fromEntries(Object.keys(REPEATED_ORDER_FIELDS).map((name) => [name, null]));
  return 'createdAt' in part ? { ...absent, ...part } : part;
}

/** The golden vector in today's form. */
function asOfToday({ decoded, stored }: GoldenVector): object {
  const add = ADDED_SINCE[stored.type] ?? ADDED_SINCE[`${stored.type} ${decoded.version}`] ?? ((part: object) => part);
  const { displayName } = decoded.event as { readonly displayName?: string };
  const formerName = displayName === undefined ? {} : { formerName: displayName };
  return { ...decoded, ...formerName, command: decoded.command && add(decoded.command), event: add(decoded.event) };
}

describe('golden vectors', () => {
  it('hold every type, and every version that was ever written', () => {
    const held = new Set(vectors.map(({ decoded, stored }) => `${stored.type} ${decoded.version}`));
    const written = (Object.keys(sampleEvents) as EventType[]).flatMap((type) =>
      Array.from({ length: eventVersion(type) }, (_, former) => `${type} ${former + 1}`),
    );
    expect([...held].sort()).to.deep.equal(written.sort());
  });

  for (const [file, journal] of goldenFiles.entries()) {
    it(`of file ${file + 1} are a journal`, () => {
      expect(
        checkChain(
          EMPTY_HEAD,
          journal.map(({ stored }) => stored),
        ).seq,
      ).to.equal(journal.length);
    });
  }

  for (const vector of vectors) {
    const { decoded, stored } = vector;
    it(`event ${stored.seq}, ${stored.type} version ${decoded.version}, reads as ever`, () => {
      const today = asOfToday(vector) as typeof decoded;
      expect(decode(stored)).to.deep.equal(today);
      expect(decodeEvent(stored).event).to.deep.equal(today.event);
      validateEvent(decode(stored).event);
      const written = JSON.parse(stored.publicText) as { event: { type: string } };
      if (stored.privateText?.includes('"event"') !== true) validateEvent(written.event, decoded.version);
    });
  }

  it('are what a decision of today encodes to, unless their version is a former one', () => {
    const compared = new Set<string>();
    for (const journal of goldenFiles) {
      let head: Head = EMPTY_HEAD;
      for (const [index, { decoded, stored }] of journal.entries()) {
        const { command, decisionEvents } = decoded;
        if (command === null || decisionEvents === null) continue;
        const decision = journal.slice(index, index + decisionEvents);
        const { salt } = JSON.parse(stored.privateText ?? '') as { salt: string };
        const events = decision.map((vector) => vector.decoded.event);
        const last = decision.at(-1)!.stored;
        if (isOfToday(decision)) {
          const encoded = encodeDecision({ command, events, head, salt });
          expect(encoded.stored).to.deep.equal(decision.map((vector): StoredEvent => vector.stored));
          for (const { type } of encoded.stored) compared.add(type);
        }
        head = { hash: last.hash, seq: last.seq };
      }
    }
    expect([...compared].sort()).to.deep.equal(Object.keys(sampleEvents).sort());
  });

  it('show MarketListed and its command in version 1, without weight, drivers and tick, and what they became', () => {
    const { decoded, stored } = goldenVectors.find(
      ({ decoded: { version }, stored: { type } }) => type === 'MarketListed' && version === 1,
    )!;
    const written = JSON.parse(stored.publicText) as { command: object; commandVersion: number; event: object };
    validateEvent(written.event as { type: string }, 1);
    expect(written.commandVersion).to.equal(1);
    for (const part of [written.command, written.event]) {
      expect(part).not.to.have.any.keys('companyImpact', 'drivers', 'tickUnits');
    }
    const added = { companyImpact: 0, drivers: [], tickUnits: 1 };
    expect(decode(stored).event).to.deep.equal({ ...written.event, ...added });
    expect(Object.keys(decode(stored).event)).to.deep.equal(Object.keys(sampleEvents.MarketListed));
    const command: Command = decoded.command!;
    expect(decode(stored).command).to.deep.equal({ ...command, ...written.command, ...added });
  });

  it('show accounts and keys in version 1, with names, permissions and owners for everyone to read', () => {
    const [opened, issued, sub] = ['AccountOpened', 'ApiKeyIssued', 'SubAccountOpened'].map(
      (type) => goldenVectors.find(({ stored }) => stored.type === type)!.stored,
    );
    const open = decodePublic(opened!);
    expect(open.formerName).to.equal('Zoë "Ω" \\ 東京 🦊');
    for (const part of [open.event, open.command]) {
      expect(part)
        .to.include({ nameDigest: publicNameDigest('Zoë "Ω" \\ 東京 🦊') })
        .and.not.to.have.any.keys('displayName');
    }
    expect(open.command).to.include.keys('last4', 'permissions').and.not.to.have.any.keys('keyHash');
    expect(decodePublic(issued!).event)
      .to.include.keys('last4', 'name', 'permissions')
      .and.not.to.have.any.keys('keyHash');
    expect(decodePublic(sub!).event).to.include.keys('permissions', 'primaryAccountId');
  });

  it('show accounts and keys in version 2, without readable names, permissions and owners', () => {
    const vectors = goldenFiles[1]!;
    const [opened, issued, sub] = ['AccountOpened', 'ApiKeyIssued', 'SubAccountOpened'].map(
      (type) => vectors.find(({ stored }) => stored.type === type)!.stored,
    );
    expect(Object.keys(decodePublic(opened!).event).join()).to.equal(
      'accountId,at,nameDigest,startingBalanceUnits,type',
    );
    expect(Object.keys(decodePublic(issued!).event).join()).to.equal('accountId,at,keyId,type');
    expect(Object.keys(decodePublic(sub!).event).join()).to.equal('accountId,at,nameDigest,startingBalanceUnits,type');
    for (const { stored } of vectors) {
      expect(stored.publicText).not.to.match(/last4|permissions|primaryAccountId|displayName|"name"|keyHash/);
      expect(decodePublic(stored)).not.to.have.property('formerName');
    }
  });

  it('show WriterEpochStarted and its command in version 1, without limits of revoked keys', () => {
    const { stored } = goldenVectors.find(({ stored: { type } }) => type === 'WriterEpochStarted')!;
    expect(stored.publicText).not.to.include('revokedKey');
    const read = decode(stored);
    for (const part of [read.event, read.command]) {
      expect(part).to.have.property('settings').that.include(WITHOUT_LIMIT);
    }
    // The order of the settings gives the canonical text when the event is written again.
    const keys = Object.keys((read.event as { settings: object }).settings);
    expect(keys).to.deep.equal([...keys].sort());
  });
});
