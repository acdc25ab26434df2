import { generateKeyPairSync } from 'node:crypto';
import type { StoredEvent } from '@paper/journal';
import { expect } from 'chai';
import {
  type AuditVerdict,
  type Check,
  headToIssue,
  signHead,
  verifyJournal,
  type VerifyOptions,
} from '../src/index.ts';
import { type AuditedJournal, auditedJournal, rehashed } from './audited-journal.ts';

/** What a damage leaves in the journal, and what an audit must say of it. */
interface Damaged {
  readonly events: readonly StoredEvent[];
  readonly check: Check;
  /** The sequence that it must name. */
  readonly seq: number;
  /** What its message must tell. */
  readonly tells: RegExp;
}

type Damage = (events: readonly StoredEvent[]) => Damaged;

const publicOf = (event: StoredEvent): { event: Record<string, unknown> } =>
  JSON.parse(event.publicText) as { event: Record<string, unknown> };

const indexOfType = (events: readonly StoredEvent[], type: string): number =>
  events.findIndex((event, index) => event.type === type && index > events.length / 3);

/** The events with one of them changed. */
function changed(
  events: readonly StoredEvent[],
  index: number,
  change: (event: StoredEvent) => StoredEvent,
): StoredEvent[] {
  return events.map((event, at) => (at === index ? change(event) : event));
}

/** Changes fields of an event, in the text as it is stored. */
const withFields =
  (fields: object) =>
  (event: StoredEvent): StoredEvent => {
    const told = publicOf(event);
    return { ...event, publicText: JSON.stringify({ ...told, event: { ...told.event, ...fields } }) };
  };

/** Sequences anew, without touching the texts: as one who edits the table alone would. */
const renumbered = (events: readonly StoredEvent[]): StoredEvent[] =>
  events.map((event, index) => ({ ...event, seq: index + 1 }));

/** Damages that leave the hashes as they were. */
const EDITS: Readonly<Record<string, Damage>> = {
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
    return { events: renumbered(swapped), check: 'hash chain', seq: index + 1, tells: /what stands here was changed/ };
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
      tells: /tells the type OrderFilled; right would be: OrderCancelled/,
    };
  },
  'another id beside the text': (events) => {
    const index = indexOfType(events, 'SignalRecorded');
    const renamed = changed(events, index, (event) => ({ ...event, id: '01900000-0000-7000-8000-000000000001' }));
    return { events: renamed, check: 'schema', seq: index + 1, tells: /its public text tells the id/ };
  },
};

const forged = (
  events: readonly StoredEvent[],
  index: number,
  change: (event: StoredEvent) => StoredEvent,
): StoredEvent[] => rehashed(changed(events, index, change));

/** Forgeries whose chain is right again: every hash from there on was made anew. */
const FORGERIES: Readonly<Record<string, Damage>> = {
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
    const index = events.findIndex((event) => event.type === 'AccountOpened');
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
    // One that its owner soon cancelled: what others did meanwhile was not decided by it.
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
  'a command by somebody else': (events) => {
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

const { privateKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  publicKeyEncoding: { format: 'pem', type: 'spki' },
});

describe('the audit of a journal and its read models', function () {
  this.timeout(60_000);
  let audited: AuditedJournal;
  before(async () => {
    audited = await auditedJournal(11, 2_500);
  });
  after(() => audited.close());

  /** Whole, as a person would run it. */
  const verify = (options: Partial<VerifyOptions> = {}): Promise<AuditVerdict> =>
    verifyJournal({ journal: audited.journal, readModelsUrl: audited.connectionString, shard: 'main', ...options });

  it('finds nothing where everything holds, in any part of it', async () => {
    const { fault, proven, end, readModels } = await verify();
    expect(fault?.message).to.equal(undefined);
    const last = audited.events.at(-1);
    expect(proven).to.deep.equal({ hash: last?.hash, seq: last?.seq });
    expect(end).to.deep.equal(proven);
    expect(readModels).to.include({ schema: audited.schema, seq: last?.seq });
    expect(readModels?.rows).to.be.at.least(2_500);
    expect(readModels?.unknownColumns, 'what the auditor does not judge').to.deep.equal([]);
    expect((await verify({ fromSeq: 1_234 })).fault?.message).to.equal(undefined);
  });

  it('refuses to begin beyond the end', async () => {
    const failure = await verify({ fromSeq: 1_000_000 }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(RangeError);
    expect(String(failure)).to.match(/The journal ends at \d+; there is nothing from 1000000 on\./);
  });

  describe('of a journal in Postgres that was edited', () => {
    afterEach(() => audited.restore());

    for (const [what, damage] of Object.entries({ ...EDITS, ...FORGERIES })) {
      it(`finds and names ${what}`, async () => {
        const { events, check, seq, tells } = damage(audited.events);
        await audited.store(events);
        const { fault } = await verify({ readModelsUrl: undefined });
        expect(fault?.check, fault?.message).to.equal(check);
        expect(fault?.seq, fault?.message).to.equal(seq);
        expect(fault?.message).to.match(tells);
      });
    }

    it('finds that events are missing which the head counts', async () => {
      await audited.db.query('delete from journal.events where seq > 2000');
      const { fault } = await verify({ readModelsUrl: undefined });
      expect(fault).to.include({ check: 'contiguous sequence', seq: 2_001 });
      expect(fault?.message).to.match(/the journal's head says that it ends at/);
    });

    it('finds a cut tail by a head that was signed before, and by the read models', async () => {
      const { hash, seq } = await audited.journal.head();
      const head = signHead(headToIssue({ hash, seq }, 'main', 0), privateKey);
      const whole = audited.events.findLastIndex(
        (event, index) => index < 2_500 && /"decisionEvents"/.test(event.publicText),
      );
      await audited.store(audited.events.slice(0, whole));
      expect((await verify({ readModelsUrl: undefined })).fault?.message, 'alone it is a good journal').to.equal(
        undefined,
      );
      const byHead = (await verify({ heads: [head], readModelsUrl: undefined })).fault;
      expect(byHead).to.include({ check: 'signed head', seq: whole + 1 });
      expect(byHead?.message).to.match(/the journal ends at \d+, but was at \d+ at 1970-01-01T00:00:00.000Z/);
      expect((await verify()).fault).to.include({ check: 'contiguous sequence', seq: whole + 1 });
    });

    it('finds a history that was written anew, by a head that was signed before', async () => {
      const head = signHead(headToIssue({ hash: audited.events[999]?.hash ?? '', seq: 1_000 }, 'main', 0), privateKey);
      // Every check of the journal itself holds: a command's salt is nobody's business.
      const salted = (event: StoredEvent): StoredEvent => ({
        ...event,
        privateText: event.privateText?.replace(/"salt":"[0-9a-f]+"/, `"salt":"${'e'.repeat(32)}"`) ?? null,
      });
      const index = audited.events.findIndex((event) => event.type === 'OrderPlaced');
      await audited.store(forged(audited.events, index, salted));
      expect((await verify({ readModelsUrl: undefined })).fault?.message).to.equal(undefined);
      const { fault } = await verify({ heads: [head], readModelsUrl: undefined });
      expect(fault).to.include({ check: 'signed head', seq: 1_000 });
      expect((await verify()).fault, 'its hash is in the checkpoint, too').to.include({ check: 'read models' });
    });

    it('takes no head that was changed after it was signed, or that is of another journal', async () => {
      const head = signHead(headToIssue(await audited.journal.head(), 'main', 0), privateKey);
      expect((await verify({ heads: [head] })).fault?.message).to.equal(undefined);
      const bent = (await verify({ heads: [{ ...head, seq: head.seq - 1 }] })).fault;
      expect(bent?.message).to.match(/signed head: .* not signed by the key that it names/);
      const other = (await verify({ heads: [{ ...headToIssue(head, 'other', 0) }] })).fault;
      expect(other?.message).to.match(/the head is of shard other; right would be: main/);
    });
  });

  describe('of read models that are not what the journal gives', () => {
    afterEach(() => audited.restore());

    const edits: readonly (readonly [what: string, statement: (schema: string) => string, tells: RegExp])[] = [
      [
        'a unit more of cash',
        (s) => `update ${s}.accounts set cash = cash + 1 where id = (select min(id) from ${s}.accounts)`,
        /of table accounts has cash = \d+; right would be: \d+/,
      ],
      [
        'a fill of another account',
        (s) =>
          `update ${s}.fills set account_id = 'x' where seq = (select max(seq) from ${s}.fills) and role = 'maker'`,
        /of table fills has account_id = "x"/,
      ],
      [
        'an order that ended otherwise',
        (s) =>
          `update ${s}.orders set reason = 'self_trade' where id = (select min(id) from ${s}.orders where reason = 'user')`,
        /of table orders has reason = "self_trade"; right would be: "user"/,
      ],
      [
        'a position too few',
        (s) =>
          `delete from ${s}.positions where (account_id, market_id) = (select account_id, market_id from ${s}.positions limit 1)`,
        /table positions has no row/,
      ],
      [
        'a level too many',
        (s) => `insert into ${s}.book_levels values ('nowhere', 'bid', 100, 1, 1)`,
        /table book_levels has \d+ rows; right would be: \d+/,
      ],
      [
        'a market with another probability',
        (s) =>
          `update ${s}.markets set probability_half = probability_half + 1 where id = (select min(id) from ${s}.markets)`,
        /of table markets has probability_half = /,
      ],
      [
        'a key that was never revoked',
        (s) =>
          `update ${s}.api_keys set revoked_at = 1 where id = (select min(id) from ${s}.api_keys where revoked_at is null)`,
        /of table api_keys has revoked_at = 1; right would be: null/,
      ],
      [
        'another minute',
        (s) =>
          `update ${s}.market_minutes set volume = volume + 1 where (market_id, minute) = (select market_id, minute from ${s}.market_minutes limit 1)`,
        /of table market_minutes has volume/,
      ],
      [
        'a signal told later',
        (s) =>
          `update ${s}.signals set prob_after_half = 1 where seq = (select max(seq) from ${s}.signals where market_id is not null)`,
        /of table signals has prob_after_half = 1/,
      ],
    ];
    for (const [what, statement, tells] of edits) {
      it(`finds and names ${what}`, async () => {
        const { rowCount } = await audited.db.query(statement(audited.schema));
        expect(rowCount, 'rows that were damaged').to.equal(1);
        const { fault, proven } = await verify();
        expect(fault?.check, fault?.message).to.equal('read models');
        expect(fault?.message).to.match(tells);
        expect(proven.seq).to.be.at.least(1);
      });
    }
  });
});
