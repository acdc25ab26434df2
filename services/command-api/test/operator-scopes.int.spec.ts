import { endpoints, EXAMPLES, OPERATOR_SCOPES, OUT_OF_SCOPE } from '@paper/contracts';
import type { Endpoint, EndpointId, OperatorScope } from '@paper/contracts';
import { BatchCommand } from '@paper/contracts/operator';
import type { BatchAnswerBody } from '@paper/contracts/operator';
import { createMemoryLog } from '@paper/journal';
import { expect } from 'chai';
import { httpHarness, listing } from './http-harness.ts';
import type { HttpHarness, Reply } from './http-harness.ts';

const tokenOf = (name: string, scope: OperatorScope): string => `token-of-${name}-with-${scope}`;
const OPERATORS = ['olga', 'otto'].flatMap((name) =>
  OPERATOR_SCOPES.map((scope) => ({ name, scopes: [scope], token: tokenOf(name, scope) })),
);

/** The scopes that permit each call, by its operationId. */
const CALLS: Readonly<Record<string, readonly OperatorScope[]>> = {
  createMarket: ['markets'],
  amendMarket: ['markets'],
  activateMarket: ['markets'],
  pauseMarket: ['markets'],
  closeMarket: ['markets'],
  resolveMarket: ['markets'],
  voidMarket: ['markets'],
  listMarketsByPhase: ['markets'],
  listHolders: ['markets'],
  listAccounts: ['accounts'],
  listOneSidedTransfers: ['accounts'],
  getRebuildStatus: [],
  recordSignal: ['signals'],
  openAccount: ['accounts', 'accounts-own'],
  issueAccountKey: ['accounts', 'accounts-own'],
  revokeAccountKey: ['accounts', 'accounts-own'],
  approveAccount: ['accounts'],
  closeAccount: ['accounts', 'accounts-own'],
  forgetAccount: ['accounts', 'accounts-own'],
  getOperatorStatus: [],
  getUsage: [],
  runOperatorBatch: ['markets', 'signals', 'accounts', 'accounts-own'],
};

const ISSUE = { name: 'spare', permissions: ['view'] };

/** A valid command of each op, and the scopes that permit it. */
const COMMANDS: Readonly<Record<string, { readonly fields: object; readonly scopes: readonly OperatorScope[] }>> = {
  'list-market': { fields: listing('batched'), scopes: ['markets'] },
  'amend-market': { fields: { id: 'none', title: 'Other' }, scopes: ['markets'] },
  'activate-market': { fields: { id: 'none' }, scopes: ['markets'] },
  'pause-market': { fields: { id: 'none' }, scopes: ['markets'] },
  'close-market': { fields: { id: 'none' }, scopes: ['markets'] },
  'resolve-market': { fields: { id: 'none', outcome: 'yes' }, scopes: ['markets'] },
  'void-market': { fields: { id: 'none', price: 0.5, reason: 'unclear' }, scopes: ['markets'] },
  'record-signal': {
    fields: {
      citationUrl: 'https://example.org/report',
      externalId: 'report',
      headline: 'A report',
      publishedAt: '2026-01-01T00:00:00Z',
      source: 'wire',
    },
    scopes: ['signals'],
  },
  'open-account': { fields: { displayName: 'Batched' }, scopes: ['accounts', 'accounts-own'] },
  'issue-key': { fields: { id: 'none', ...ISSUE }, scopes: ['accounts', 'accounts-own'] },
  'approve-account': { fields: { id: 'none' }, scopes: ['accounts'] },
};

interface Opened {
  readonly account: { readonly id: string };
  readonly apiKey: { readonly id: string; readonly rawKey: string };
}

const opened = ({ body }: Reply): Opened => body as unknown as Opened;
const isRefused = ({ body, status }: Reply): boolean => status === 403 && body['error'] === OUT_OF_SCOPE;

/** The path of an endpoint's example. */
function pathOf({ id, path }: Endpoint): string {
  const { params = {} } = EXAMPLES[id as EndpointId];
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

describe("the scopes of an operator's token", () => {
  const log = createMemoryLog();
  let harness: HttpHarness;

  before(async () => {
    harness = await httpHarness({ declaresAll: true, log, operators: OPERATORS });
  });
  after(() => harness.close());

  const as = (token: string, method: string, path: string, body?: unknown): Promise<Reply> =>
    harness.call(method, path, { key: token, ...(body === undefined ? {} : { body }) });
  const batch = async (token: string, commands: readonly object[]) =>
    ((await as(token, 'POST', '/api/operator/batch', { commands })).body as unknown as BatchAnswerBody).results;
  const open = async (token: string, displayName: string): Promise<Opened> =>
    opened(await as(token, 'POST', '/api/operator/accounts', { displayName }));

  const calls = (Object.values(endpoints) as Endpoint[]).filter(({ auth }) => auth === 'operator');

  it('are tested for every call and every command of a batch', () => {
    expect(calls.map(({ id }) => id)).to.have.members(Object.keys(CALLS));
    expect(BatchCommand.options.map(({ shape }) => shape.op.value)).to.have.members(Object.keys(COMMANDS));
  });

  for (const scope of OPERATOR_SCOPES) {
    it(`permit what ${scope} stands for, and refuse all other calls`, async () => {
      for (const endpoint of calls) {
        const body = Object.values(EXAMPLES[endpoint.id as EndpointId].bodies ?? {})[0];
        const reply = await as(tokenOf('olga', scope), endpoint.method.toUpperCase(), pathOf(endpoint), body);
        expect(isRefused(reply), `${endpoint.id} with ${scope}: ${reply.status}`).to.equal(
          CALLS[endpoint.id]?.includes(scope) === false,
        );
      }
    });

    it(`permit what ${scope} stands for inside a batch too, and refuse all other commands`, async () => {
      const ops = Object.entries(COMMANDS);
      const commands = ops.map(([op, { fields }]) => ({ op, ...fields }));
      const before = log.events.length;
      const results = await batch(tokenOf('olga', scope), commands);
      for (const [index, [op, { scopes }]] of ops.entries()) {
        const result = results[index];
        const refused = result?.ok === false && result.status === 403 && result.error === OUT_OF_SCOPE;
        expect(refused, `${op} with ${scope}`).to.equal(!scopes.includes(scope));
      }
      const done = results.filter((result) => result.ok && result.changed).length;
      expect(log.events.length > before).to.equal(done > 0);
    });
  }

  it('are all permitted to a token without any', async () => {
    for (const endpoint of calls) {
      const body = Object.values(EXAMPLES[endpoint.id as EndpointId].bodies ?? {})[0];
      const reply = await harness.operate(endpoint.method.toUpperCase(), pathOf(endpoint), body);
      expect(reply.status, endpoint.id).not.to.equal(403);
    }
  });

  describe("display names like the exchange's own", () => {
    const own = tokenOf('olga', 'accounts-own');
    const all = tokenOf('olga', 'accounts');
    const openWith = (key: string, displayName: string, idempotencyKey: string): Promise<Reply> =>
      harness.call('POST', '/api/operator/accounts', { body: { displayName }, idempotencyKey, key });

    it('are refused to a token with accounts-own, in a batch too, without an event', async () => {
      const before = log.events.length;
      const reply = await as(own, 'POST', '/api/operator/accounts', { displayName: 'SYSТEM' });
      expect([reply.status, reply.body['code']]).to.deep.equal([400, 'validation_failed']);
      expect(reply.body['error']).to.match(
        /^validation failure: displayName: reads like "system"; choose another name/,
      );
      const results = await batch(own, [
        { op: 'open-account', displayName: 'Rita Operator' },
        { op: 'open-account', displayName: 'DEМO' },
      ]);
      for (const result of results) expect(result).to.deep.include({ status: 400, code: 'validation_failed' });
      expect(log.events.length).to.equal(before);
    });

    it('are for tokens without it', async () => {
      expect((await as(all, 'POST', '/api/operator/accounts', { displayName: 'House maker' })).status).to.equal(200);
      const [result] = await batch(all, [{ op: 'open-account', displayName: 'Demo Ada' }]);
      expect(result?.ok).to.equal(true);
      const unscoped = await harness.operate('POST', '/api/operator/accounts', { displayName: 'Support' });
      expect(unscoped.status).to.equal(200);
    });

    it('stay in the answer to a repeat of what opened the account', async () => {
      const first = await openWith(all, 'House taker', 'once');
      const again = await openWith(own, 'House taker', 'once');
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      expect(again.body['account']).to.deep.equal(first.body['account']);
    });
  });

  describe('accounts-own', () => {
    const own = tokenOf('olga', 'accounts-own');
    let mine: Opened;
    let foreign: Opened;
    let sub: Opened;

    before(async () => {
      mine = await open(own, 'Mine');
      foreign = await open(tokenOf('otto', 'accounts-own'), 'Foreign');
      const created = await harness.call('POST', '/api/accounts/sub', {
        key: mine.apiKey.rawKey,
        body: { displayName: 'Sub' },
      });
      const { apiKey, subAccount } = created.body as unknown as {
        apiKey: Opened['apiKey'];
        subAccount: Opened['account'];
      };
      sub = { account: subAccount, apiKey };
    });

    const issue = (token: string, id: string) => as(token, 'POST', `/api/operator/accounts/${id}/keys`, ISSUE);
    const revoke = (token: string, { apiKey }: Opened) => as(token, 'DELETE', `/api/operator/keys/${apiKey.id}`);

    it("issues and revokes keys of the operator's own accounts and of their sub-accounts", async () => {
      for (const { account } of [mine, sub]) {
        const issued = await issue(own, account.id);
        expect(issued.status).to.equal(200);
        expect((await revoke(own, opened(issued))).body).to.deep.equal({ ok: true });
        const [result] = await batch(own, [{ op: 'issue-key', id: account.id, ...ISSUE }]);
        expect(result?.ok).to.equal(true);
      }
    });

    it('does nothing to accounts that another opened, whatever scope that had', async () => {
      const byAll = opened(await harness.operate('POST', '/api/operator/accounts', { displayName: 'By all' }));
      const byAccounts = await open(tokenOf('otto', 'accounts'), 'By accounts');
      const before = log.events.length;
      for (const account of [foreign, byAll, byAccounts]) {
        expect(isRefused(await issue(own, account.account.id))).to.equal(true);
        expect(isRefused(await revoke(own, account))).to.equal(true);
        const [result] = await batch(own, [{ op: 'issue-key', id: account.account.id, ...ISSUE }]);
        expect(result).to.deep.include({ ok: false, status: 403, code: 'forbidden' });
      }
      expect(log.events.length).to.equal(before);
    });

    it('goes by the name: another token of it manages the same accounts', async () => {
      const [result] = await batch(tokenOf('olga', 'accounts'), [{ op: 'open-account', displayName: 'By name' }]);
      const account = result?.ok === true ? (result.result as unknown as Opened) : null;
      expect((await issue(own, account?.account.id ?? '')).status).to.equal(200);
    });

    it('finds no account and no key that is not there', async () => {
      const none = '01890000-0000-7000-8000-000000000000';
      expect((await issue(own, none)).status).to.equal(404);
      expect((await as(own, 'DELETE', `/api/operator/keys/${none}`)).status).to.equal(404);
    });

    it('knows its accounts after a restart', async () => {
      const again = await httpHarness({ log, names: harness.names, operators: OPERATORS });
      try {
        const issueAgain = (id: string) =>
          again.call('POST', `/api/operator/accounts/${id}/keys`, { key: own, body: ISSUE });
        expect((await issueAgain(mine.account.id)).status).to.equal(200);
        expect(isRefused(await issueAgain(foreign.account.id))).to.equal(true);
      } finally {
        await again.close();
      }
    });
  });
});
