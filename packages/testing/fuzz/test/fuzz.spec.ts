import { createHash } from 'node:crypto';
import { openApiDocument } from '@paper/contracts';
import { createMemoryJournal, createMemoryLog, decode, EMPTY_HEAD } from '@paper/journal';
import { createRandom } from '@paper/testkit';
import { createAnswerContract } from '@paper/testkit/http';
import { expect } from 'chai';
import { makeEvents } from '@paper/auditor/test/audited-journal';
import { apiOf } from '../src/api.ts';
import { judge } from '../src/judge.ts';
import { makeRequest } from '../src/make.ts';
import { Pool } from '../src/pool.ts';
import { checkReceipts } from '../src/receipts.ts';
import type { Receipt } from '../src/receipts.ts';
import { draftOf, requestOf } from '../src/request.ts';
import type { Expected, FuzzRequest, FuzzContext } from '../src/request.ts';
import type { Reply } from '../src/send.ts';
import { Values } from '../src/values.ts';

const REQUESTS = 2_000;
const api = apiOf(openApiDocument());

function context(): FuzzContext {
  const pool = new Pool();
  for (let at = 1; at <= 5; at += 1) {
    pool.markets.add(`market-${at}`);
    pool.orders.add({ id: `order-${at}`, key: 'primary' });
    pool.tagged.add({ operationId: 'listMarkets', path: '/api/markets', key: null, etag: `"tag-${at}"` });
    const done = { operationId: 'placeOrder', path: '/api/orders', key: 'primary', body: '{}', answer: '{}' };
    pool.done.add({ ...done, idempotencyKey: `key-${at}` });
  }
  const principals = {
    ...{ operator: 'operator', primary: 'primary', primaryId: 'ann', viewer: 'viewer' },
    ...{ foreign: 'foreign', sub: 'sub', revoked: 'revoked' },
  };
  return { api, principals, cursorSecret: Buffer.alloc(32, 'cursors'), pool, values: new Values(api, pool) };
}

const requests = (seed: number): FuzzRequest[] => {
  const made = context();
  return Array.from({ length: REQUESTS }, (_, index) => makeRequest(seed, index, index % 2 === 0, made));
};

/** A request as text; large bodies by their hash. */
const textOf = ({ body, bytes, operation, ...request }: FuzzRequest): string => {
  const hashes = [body, bytes].map((one) => one && createHash('sha256').update(one).digest('hex'));
  return JSON.stringify({ ...request, operation: operation?.id, hashes });
};

describe('the requests of the fuzzer', function () {
  this.timeout(30_000);

  it('follow from the seed', () => {
    const [first, again, other] = [1, 1, 2].map((seed) => requests(seed).map(textOf));
    expect(again).to.deep.equal(first);
    expect(other).not.to.deep.equal(first);
  });

  it('ask every operation, in every kind of way', () => {
    const made = requests(3);
    const asked = new Set(made.map(({ operation }) => operation?.id));
    expect(api.operations.map(({ id }) => id).filter((id) => !asked.has(id))).to.deep.equal([]);
    const kinds = new Set(made.map(({ kind }) => kind));
    expect(kinds).to.include.all.keys(
      'valid',
      'HEAD',
      'done again',
      'without a valid key',
      'fields twice',
      'headers too large',
    );
    expect(kinds.size).to.be.greaterThan(60);
  });

  it('are valid where they say so, and refused by the document where they say that', () => {
    const made = context();
    const random = createRandom(4);
    for (const operation of api.operations) {
      const { body } = operation;
      if (body === null) continue;
      for (let at = 0; at < 50; at += 1) {
        const draft = draftOf(random, operation, made);
        expect(api.fits(body, draft.body), JSON.stringify(draft.body)).to.equal(true);
      }
    }
    for (const { body, kind, operation } of requests(5)) {
      if (kind !== 'a field that is refused' || operation?.body === null || operation === null) continue;
      expect(api.fits(operation.body, JSON.parse(String(body))), String(body)).to.equal(false);
    }
  });
});

describe('the judge of the fuzzer', () => {
  const contract = createAnswerContract(api.document);
  const ALWAYS = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': '1',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
  };
  const asked = (id: string, expected: Expected | null = null): FuzzRequest => {
    const operation = api.operation(id);
    const draft = { operation, path: operation.template.replace(/\{\w+\}/, 'x'), query: [], headers: [], key: null };
    return requestOf({ ...draft, body: undefined }, 'valid', expected);
  };
  const answered = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply => ({
    status,
    headers: new Headers({ ...ALWAYS, ...headers }),
    text: JSON.stringify(body),
  });
  const refusal = (code: string) => ({ error: 'No', code });
  const DONE = { 'x-journal-seq': '7', 'x-journal-hash': 'a'.repeat(64) };
  const CANCEL = { statuses: [200], repeats: '{"ok":true}' };

  it('accepts every documented answer', () => {
    judge(asked('cancelOrder'), answered(200, { ok: true }, DONE), contract);
    judge(
      asked('cancelOrder', CANCEL),
      answered(200, { ok: true }, { ...DONE, 'idempotent-replayed': 'true' }),
      contract,
    );
    judge(asked('cancelOrder'), answered(403, refusal('forbidden')), contract);
    judge(
      asked('cancelOrder'),
      answered(401, refusal('not_authenticated'), { 'www-authenticate': 'Bearer' }),
      contract,
    );
  });

  it('wants the id of a request from the API alone, and not from a page for browsers', () => {
    const request = { ...asked('listMarkets'), operation: null };
    const reply = (type: string): Reply => {
      const { headers, ...rest } = answered(200, {}, { 'content-type': type });
      headers.delete('x-request-id');
      return { ...rest, headers };
    };
    judge(request, reply('text/html; charset=utf-8'), contract);
    expect(() => judge(request, reply('application/json'), contract)).to.throw('200 without x-request-id');
  });

  it('accepts that a repeat shows no name that was forgotten meanwhile, and any other change not', () => {
    const first = { account: { id: 'x', displayName: 'Ann' }, apiKey: { name: 'laptop' }, revokedKeys: 1 };
    const request = asked('cancelOrder', { statuses: [200], repeats: JSON.stringify(first) });
    const again = (displayName: string, name = 'laptop'): Reply =>
      answered(
        200,
        { ...first, account: { id: 'x', displayName }, apiKey: { name } },
        { 'idempotent-replayed': 'true' },
      );
    const page = { ...request, operation: null };
    judge(page, again('Trader 90efdd'), contract);
    judge(page, again('Trader 90efdd', 'forgotten'), contract);
    for (const other of [again('Bob'), again('Ann', 'desktop')]) {
      expect(() => judge(page, other, contract)).to.throw('another answer than the first');
    }
  });

  const UNFIT: Readonly<Record<string, readonly [FuzzRequest, Reply, RegExp]>> = {
    'a 500': [asked('cancelOrder'), answered(500, refusal('internal')), /fault of the service/],
    'a status that is not documented': [asked('cancelOrder'), answered(404, refusal('not_found')), /not documented/],
    'a code that is not documented': [
      asked('cancelOrder'),
      answered(400, refusal('invalid_tick')),
      /code invalid_tick/,
    ],
    'a field too many': [asked('cancelOrder'), answered(200, { ok: true, key: 1 }, DONE), /does not fit/],
    'an error with more in it': [
      asked('cancelOrder'),
      answered(403, { ...refusal('forbidden'), a: 1 }),
      /does not fit/,
    ],
    'another type': [
      asked('cancelOrder'),
      answered(200, { ok: true }, { ...DONE, 'content-type': 'text/html' }),
      /html/,
    ],
    'no receipt': [asked('cancelOrder'), answered(200, { ok: true }, { 'x-journal-seq': '7' }), /receipt/],
    'no WWW-Authenticate': [asked('cancelOrder'), answered(401, refusal('not_authenticated')), /WWW-Authenticate/],
    'no Retry-After': [asked('cancelOrder'), answered(429, refusal('rate_limited')), /Retry-After/],
    'another status than is right': [
      asked('cancelOrder', { statuses: [400] }),
      answered(200, { ok: true }, DONE),
      /where 400 is right/,
    ],
    'another answer than the first': [
      asked('cancelOrder', CANCEL),
      answered(200, { ok: false }, { ...DONE, 'idempotent-replayed': 'true' }),
      /another answer/,
    ],
    'a repeated answer that does not say so': [
      asked('cancelOrder', CANCEL),
      answered(200, { ok: true }, DONE),
      /does not say so/,
    ],
  };
  for (const [name, [request, reply, expected]] of Object.entries(UNFIT)) {
    it(`refuses ${name}`, () => expect(() => judge(request, reply, contract)).to.throw(expected));
  }
});

describe('receipts and the journal', () => {
  const events = makeEvents(6, 300);
  const journal = createMemoryJournal(createMemoryLog());
  const receipts: Receipt[] = [];
  before(async () => {
    await journal.append(EMPTY_HEAD, events);
    for (const stored of events) {
      const { command, decisionEvents } = decode(stored);
      if (command === null || command.by.kind === 'system') continue;
      const last = events[stored.seq + (decisionEvents ?? 1) - 2];
      receipts.push({ request: command.id, seq: last?.seq ?? 0, hash: last?.hash ?? null, decisionsMax: 1 });
    }
    expect(receipts.length).to.be.greaterThan(50);
  });

  const found = async (changed: readonly Receipt[]): Promise<string> =>
    checkReceipts(journal, changed).then(
      () => 'nothing',
      (error: unknown) => String(error),
    );

  it('fit where every decision was answered', async () => {
    expect(await checkReceipts(journal, receipts)).to.equal(receipts.length);
    // A repeated answer has the sequence of the first one.
    const repeated = receipts.flatMap((one, at) => (at % 9 === 8 ? [one, receipts[at - 5] ?? one] : [one]));
    expect(await checkReceipts(journal, repeated)).to.equal(receipts.length);
  });

  it('report a command that was answered with an error and is in the journal all the same', async () => {
    for (const at of [0, 20, receipts.length - 1]) {
      expect(await found(receipts.toSpliced(at, 1))).to.include('was accepted, and no request sent it');
    }
  });

  it('report a receipt for an event that does not exist', async () => {
    const forged = receipts.map((one, at) => (at === 20 ? { ...one, hash: 'a'.repeat(64) } : one));
    expect(await found(forged)).to.include(`the receipt of ${receipts[20]?.request ?? ''}`);
  });
});
