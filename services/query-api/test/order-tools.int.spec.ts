import { DAY_MS } from '@paper/contracts/units';
import type { FleetKeyBody } from '@paper/contracts/accounts';
import type { LedgerEntryBody } from '@paper/contracts/journal';
import type { OrderHistoryBody } from '@paper/contracts/orders';
import type { PortfolioBody } from '@paper/contracts/portfolio';
import type { Command, CommandOf } from '@paper/exchange/commands';
import type { Mandate } from '@paper/exchange/vocabulary';
import { decode } from '@paper/journal';
import { base, keyOf, OPERATOR, orderFrom, SCENARIO_AT, SYSTEM } from '@paper/testkit';
import { expect } from 'chai';
import type { ReadHarness } from './read-harness.ts';
import { cancel, get, trade, tradingHarness } from './trading-harness.ts';

const NO_LIMITS: Mandate = {
  marketIds: null,
  maxOrderCostUnits: null,
  maxReservedUnits: null,
  maxShares: null,
  reduceOnly: null,
  spendPerDayUnits: null,
};

const order = (text: string, tools: Partial<CommandOf<'PlaceOrder'>> = {}): CommandOf<'PlaceOrder'> => ({
  ...orderFrom(text),
  ...tools,
});

const amend = (
  accountId: string,
  orderId: string,
  priceUnits: number | null,
  quantity: number | null,
): CommandOf<'AmendOrder'> => ({
  ...base(keyOf(accountId), `amend-${orderId}-${priceUnits}-${quantity}`),
  type: 'AmendOrder',
  offTick: false,
  orderId,
  priceUnits,
  quantity,
});

const deadMan = (accountId: string, seconds: number): Command => ({
  ...base(keyOf(accountId), `switch-${accountId}-${seconds}`),
  type: 'SetDeadManSwitch',
  seconds,
});

const limit = (keyId: string, mandate: Mandate | null): Command => ({
  ...base(keyOf('ann'), `limit-${keyId}-${mandate === null ? 'none' : 'some'}`),
  type: 'SetMandate',
  keyId,
  mandate,
});

describe('reads of the order tools', function () {
  this.timeout(60_000);
  let harness: ReadHarness;
  let now = SCENARIO_AT;

  before(async () => {
    harness = await tradingHarness({ now: () => now });
  });
  after(() => harness.close());

  const body = async (who: string, path: string): Promise<Record<string, unknown>> => {
    const answer = await get(harness, who, path);
    expect(answer.status, path).to.equal(200);
    return answer.body as Record<string, unknown>;
  };
  const refusal = async (who: string, path: string): Promise<unknown> => {
    const answer = await get(harness, who, path);
    return [answer.status, (answer.body as { code?: unknown }).code];
  };
  /** The sequence of the newest event. */
  const head = (): number => harness.log.events.length;

  describe('an order', () => {
    it('has its client id, its expiry, and the average price of its fills', async () => {
      const expiresAt = SCENARIO_AT + DAY_MS / 2;
      await trade(
        harness,
        ...['d1 bob buy no 3 @ 0.55', 'd2 bob buy no 4 @ 0.50'].map((text) => order(text)),
        order('d3 ann buy yes 12 @ 0.60', { clientOrderId: 'bid:1', expiresAt }),
      );
      const detail = await body('ann', '/api/orders/d3');
      expect(detail).to.include({
        id: 'd3',
        userId: 'ann',
        price: 0.6,
        quantity: 12,
        filledQty: 7,
        status: 'partial',
        reservedAmount: 3,
        clientOrderId: 'bid:1',
        postOnly: false,
        expiresAt: new Date(expiresAt).toISOString(),
        // (3 × 0.45 + 4 × 0.50) / 7 = 0.478571…
        averagePrice: 0.4786,
        reason: null,
        seq: head(),
      });
      expect(await body('ann', '/api/orders/client/bid:1')).to.deep.equal(detail);
      expect(detail).to.include(((await get(harness, 'ann', '/api/orders')).body as object[])[0]);
      await trade(harness, order('d4 ann buy yes 1 @ 0.30', { postOnly: true }));
      expect(await body('ann', '/api/orders/d4')).to.include({
        clientOrderId: null,
        postOnly: true,
        expiresAt: null,
        averagePrice: null,
        seq: head(),
      });
    });

    it('shows its newest terms, and the sequence of its newest event', async () => {
      await trade(harness, amend('ann', 'd4', null, 1), amend('ann', 'd4', 3_100, 5));
      expect(await body('ann', '/api/orders/d4')).to.include({ price: 0.31, quantity: 5, status: 'open', seq: head() });
      await trade(harness, amend('ann', 'd4', null, 2));
      expect(await body('ann', '/api/orders/d4')).to.include({ price: 0.31, quantity: 2, seq: head() });
      const amendedSeq = head();
      await trade(harness, order('d5 bob buy yes 1 @ 0.20'));
      expect(await body('ann', '/api/orders/d4')).to.include({ seq: amendedSeq, reservedAmount: 0.62 });
      await trade(harness, amend('ann', 'd4', 9_000, null), order('d6 bob buy no 1 @ 0.10'), cancel('ann', 'd3'));
      expect(await body('ann', '/api/orders/d4')).to.include({ price: 0.9, filledQty: 1, status: 'partial' });
      expect(await body('ann', '/api/orders/d3')).to.include({ status: 'cancelled', reason: 'user', seq: head() });
      await trade(harness, cancel('ann', 'd4'), cancel('bob', 'd5'));
    });

    it("is the newest with a client's id, of the account or of its sub-accounts", async () => {
      const named = (text: string) => order(text, { clientOrderId: 'twice' });
      await trade(harness, named('n1 ann buy yes 1 @ 0.30'), named('n2 sub buy yes 1 @ 0.31'));
      const found = async (who: string) => (await body(who, '/api/orders/client/twice'))['id'];
      expect([await found('ann'), await found('sub')]).to.deep.equal(['n2', 'n2']);
      await trade(harness, cancel('ann', 'n1'), order('n3 ann buy yes 1 @ 0.32', { clientOrderId: 'other' }));
      expect(await found('ann')).to.equal('n2');
      expect(await refusal('sib', '/api/orders/client/twice')).to.deep.equal([404, 'not_found']);
      await trade(harness, cancel('sub', 'n2'), cancel('ann', 'n3'));
    });

    it('is 404 for anybody else, and for an id that is none', async () => {
      for (const [who, path] of [
        ['bob', 'd3'],
        ['sub', 'd3'],
        ['sib', 'n2'],
        ['ann', 'none'],
        ['ann', 'client'],
        ['bob', 'client/bid:1'],
        ['ann', 'client/none'],
        ['ann', 'client/history'],
      ] as const) {
        expect(await refusal(who, `/api/orders/${path}`), `${who} ${path}`).to.deep.equal([404, 'not_found']);
      }
      expect(await body('ann', '/api/orders/n2')).to.include({ id: 'n2', userId: 'sub' });
    });
  });

  describe('the history of a changed order', () => {
    const told = async (who: string, id: string, query = ''): Promise<readonly string[]> => {
      const lines: string[] = [];
      for (let path: string | null = `/api/orders/${id}/history${query}`; path !== null;) {
        const answer = await get(harness, who, path);
        for (const entry of (answer.body as OrderHistoryBody).history) {
          const { type, reason, quantity, price, cash, filledQty, status, reservedAmount } = entry;
          expect(harness.log.events[entry.seq - 1]).to.include({ type, id: entry.id });
          lines.push(
            `${reason} ${quantity} @ ${price} cash ${cash} filled ${filledQty} ${status} reserved ${reservedAmount}`,
          );
        }
        path = answer.next;
      }
      return lines;
    };

    it('has each change with the terms that it left, whatever the size of its pages', async () => {
      await trade(
        harness,
        order('h1 ann buy yes 10 @ 0.40'),
        amend('ann', 'h1', null, 8),
        order('h2 bob buy no 3 @ 0.60'),
        amend('ann', 'h1', 4_500, null),
        amend('ann', 'h1', null, 20),
        order('h3 bob buy no 2 @ 0.40'),
        amend('ann', 'h1', 6_500, 6),
        cancel('bob', 'h3'),
      );
      const expected = [
        'placed 10 @ 0.4 cash 0 filled 0 open reserved 4',
        'amended 8 @ 0.4 cash 0 filled 0 open reserved 3.2',
        'maker 3 @ 0.4 cash -1.2 filled 3 partial reserved 2',
        'replaced 8 @ 0.45 cash 0 filled 3 partial reserved 2.25',
        'replaced 20 @ 0.45 cash 0 filled 3 partial reserved 7.65',
        'replaced 6 @ 0.65 cash 0 filled 3 partial reserved 0',
        'taker 2 @ 0.6 cash -1.2 filled 5 partial reserved 0.65',
      ];
      for (const query of ['', '?limit=1', '?limit=2', '?limit=3', '?limit=5']) {
        expect(await told('ann', 'h1', query), query).to.deep.equal(expected);
      }
    });

    it('has the reasons of the order tools', async () => {
      await trade(
        harness,
        order('r1 bob buy no 1 @ 0.30'),
        order('r2 ann buy yes 1 @ 0.90', { postOnly: true }),
        order('r3 ann buy yes 1 @ 0.20', { expiresAt: SCENARIO_AT + 1 }),
        { ...base(SYSTEM, 'expire'), at: SCENARIO_AT + 1, type: 'ExpireOrders' },
        deadMan('ann', 5),
        { ...base(SYSTEM, 'fire'), at: SCENARIO_AT + 6_000, type: 'FireDeadManSwitch', accountId: 'ann' },
      );
      const ends = await Promise.all(['r2', 'r3', 'h1'].map(async (id) => (await told('ann', id)).at(-1)));
      expect(ends).to.deep.equal([
        'post_only 1 @ 0.9 cash 0 filled 0 cancelled reserved 0',
        'expired 1 @ 0.2 cash 0 filled 0 cancelled reserved 0',
        'dead_man_switch 1 @ 0.65 cash 0 filled 5 cancelled reserved 0',
      ]);
      expect(await body('ann', '/api/orders/r3')).to.include({ reason: 'expired' });
    });
  });

  describe('an account', () => {
    it('has a merge in its ledger for both outcomes, on pages of any size', async () => {
      await trade(harness, order('m1 bob buy yes 6 @ 0.69'), order('m2 ann buy no 6 @ 0.31'), {
        ...base(keyOf('ann'), 'merge'),
        type: 'MergeShares',
        marketId: 'm',
        quantity: 4,
      });
      const seq = head();
      for (const limit of [1, 2, 3, 500]) {
        const entries: LedgerEntryBody[] = [];
        for (let path: string | null = `/api/ledger?limit=${limit}`; path !== null;) {
          const page = await get(harness, 'ann', path);
          entries.push(...(page.body as LedgerEntryBody[]));
          path = page.next;
        }
        const merged = entries.filter(({ type }) => type === 'SharesMerged');
        expect(merged.map(({ outcome, shares, cash, price }) => [outcome, shares, cash, price])).to.deep.equal([
          ['yes', -4, 2, 0.5],
          ['no', -4, 2, 0.5],
        ]);
        expect(new Set(merged.map((entry) => entry.seq))).to.deep.equal(new Set([seq]));
        const own = entries.filter(({ accountId }) => accountId === 'ann');
        const units = own.reduce((sum, { cash }) => sum + Math.round(cash * 10_000), 0);
        const portfolio = (await body('ann', '/api/portfolio')) as unknown as PortfolioBody;
        expect(units / 10_000).to.equal(portfolio.summary.cash);
        const sharesOf = (side: string): number =>
          own.filter(({ outcome }) => outcome === side).reduce((sum, { shares }) => sum + shares, 0);
        for (const { side, shares } of portfolio.positions) expect(sharesOf(side)).to.equal(shares);
      }
    });

    it('has a dead-man switch, which is null while it is off', async () => {
      expect(await body('bob', '/api/dead-man-switch')).to.deep.equal({ cancelsAt: null });
      await trade(harness, deadMan('bob', 60));
      const due = harness.log.events.at(-1);
      expect(due?.type).to.equal('DeadManSwitchSet');
      const { cancelsAt } = await body('bob', '/api/dead-man-switch');
      expect(Date.parse(String(cancelsAt)) - decode(due!).event.at).to.equal(60_000);
      expect(await body('ann', '/api/dead-man-switch')).to.deep.equal({ cancelsAt: null });
      await trade(harness, deadMan('bob', 0));
      expect(await body('bob', '/api/dead-man-switch')).to.deep.equal({ cancelsAt: null });
    });

    it('shows the mandate of each key in the lists of keys, and null without one', async () => {
      await trade(harness, limit('sub-key', { ...NO_LIMITS, spendPerDayUnits: 5_000_000, marketIds: ['m', 'x'] }));
      const mandate = { spendPerDay: 500, marketIds: ['m', 'x'] };
      const keys = (await body('ann', '/api/accounts/keys'))['keys'] as FleetKeyBody[];
      expect(Object.fromEntries(keys.map((key) => [key.id, key.mandate]))).to.deep.equal({
        'ann-key': null,
        'sub-key': mandate,
        'sib-key': null,
      });
      const subs = (await body('ann', '/api/accounts/sub'))['subAccounts'] as { keys: FleetKeyBody[] }[];
      expect(subs.map((sub) => sub.keys[0]?.mandate)).to.deep.equal([mandate, null]);
      expect(await body('sub', '/api/me')).to.deep.include({ mandate });
      await trade(harness, limit('sub-key', null));
      expect(await body('sub', '/api/me')).to.include({ mandate: null });
    });

    it('tells who a key is, and what it has spent since midnight', async () => {
      const me = {
        accountId: 'sub',
        primaryAccountId: 'ann',
        keyId: 'sub-key',
        keyName: 'default',
        permissions: ['view', 'trade', 'reconcile'],
        mandate: null,
        spentToday: 0.31,
        complianceMode: 'paper',
        approved: true,
      };
      const { displayName, ...found } = await body('sub', '/api/me');
      expect(displayName).to.be.a('string').and.not.equal('');
      expect(found).to.deep.equal(me);
      await trade(harness, order('s2 sub buy yes 2 @ 0.05'), order('s3 sub sell yes 2 @ 0.05'));
      expect(await body('sub', '/api/me')).to.include({ spentToday: 0.41 });
      now = DAY_MS - 1;
      expect(await body('sub', '/api/me')).to.include({ spentToday: 0.41 });
      now = DAY_MS;
      expect(await body('sub', '/api/me')).to.include({ spentToday: 0 });
      expect(await body('ann', '/api/me')).to.include({ accountId: 'ann', primaryAccountId: 'ann' });
    });

    it('needs approval where the exchange asks for it', async () => {
      const strict = await tradingHarness({ settings: { complianceMode: 'kyc' } });
      try {
        const approvedOf = async (who: string): Promise<unknown> => {
          const { complianceMode, approved } = (await get(strict, who, '/api/me')).body as Record<string, unknown>;
          return [complianceMode, approved];
        };
        await strict.projected();
        expect([await approvedOf('ann'), await approvedOf('sub')]).to.deep.equal([
          ['kyc', false],
          ['kyc', false],
        ]);
        await trade(strict, { ...base(OPERATOR, 'approve'), type: 'ApproveAccount', accountId: 'ann' });
        expect([await approvedOf('ann'), await approvedOf('sub'), await approvedOf('bob')]).to.deep.equal([
          ['kyc', true],
          ['kyc', true],
          ['kyc', false],
        ]);
      } finally {
        await strict.close();
      }
    });
  });
});
