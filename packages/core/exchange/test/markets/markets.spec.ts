import { dueTimer, openMarketsPastClose, marketView, nextTimerAt, pendingRuns, signalSeq } from '@paper/exchange';
import type { RejectionCode, State } from '@paper/exchange';
import type { Command, CommandOf } from '@paper/exchange/commands';
import {
  orderFrom,
  base,
  keyOf,
  listMarket,
  openAccount,
  OPERATOR,
  Scenario,
  SCENARIO_AT,
  startEpoch,
  SYSTEM,
} from '@paper/testkit';
import { expect } from 'chai';
import { checkInvariants } from '../invariants.ts';

const at = SCENARIO_AT;
type Transition = 'ActivateMarket' | 'PauseMarket' | 'CloseMarket';
const to = (type: Transition, change: Partial<Command> = {}): Command =>
  ({ ...base(OPERATOR), type, marketId: 'm', ...change }) as Command;
const resolve: Command = {
  ...base(OPERATOR),
  type: 'ResolveMarket',
  citationUrl: null,
  headline: null,
  marketId: 'm',
  outcome: 'yes',
  source: null,
};
const amend = (change: Partial<CommandOf<'AmendMarket'>>): CommandOf<'AmendMarket'> => ({
  ...base(OPERATOR),
  type: 'AmendMarket',
  citationUrl: null,
  closesAt: null,
  companyImpact: null,
  description: null,
  drivers: null,
  marketId: 'm',
  title: null,
  ...change,
});
const signal = (change: Partial<CommandOf<'RecordSignal'>> = {}): CommandOf<'RecordSignal'> => ({
  ...base(OPERATOR),
  type: 'RecordSignal',
  citationUrl: 'https://example.org/',
  confidence: 0.5,
  event: null,
  externalId: 'x1',
  factValue: null,
  fairProb: 0.6,
  freshnessMs: null,
  headline: 'headline',
  marketId: 'm',
  publishedAt: 5,
  source: 'wire',
  threshold: null,
  ...change,
});

/** The market that the clock closes first at this time, in a list; an empty one when it closes none. */
function closable(state: State, at: number): readonly string[] {
  const due = dueTimer(state, at);
  return due?.type === 'CloseMarket' ? [due.marketId] : [];
}

describe('listing a market', () => {
  it('tells all of it', () => {
    const s = new Scenario();
    s.when(listMarket('m', { drivers: ['oil'], description: 'text', citationUrl: 'https://example.org/' })).thenEvents([
      {
        at,
        bodyHash: 'm-body',
        category: 'category',
        citationUrl: 'https://example.org/',
        closesAt: 2 * at,
        companyImpact: 0,
        companySlug: 'company',
        description: 'text',
        drivers: ['oil'],
        marketId: 'm',
        phase: 'active',
        priorUnits: 5_000,
        sector: 'sector',
        settlementSource: 'source',
        tickUnits: 1,
        ticker: 'TICK',
        title: 'title of m',
        type: 'MarketListed',
      },
    ]);
    expect(marketView(s.state, 'm')).to.deep.equal({
      bestAskUnits: null,
      bestBidUnits: null,
      category: 'category',
      citationUrl: 'https://example.org/',
      closesAt: 2 * at,
      companyImpact: 0,
      companySlug: 'company',
      createdAt: at,
      description: 'text',
      drivers: ['oil'],
      id: 'm',
      lastTradeUnits: null,
      openInterest: 0,
      phase: 'active',
      priorUnits: 5_000,
      probabilityHalfUnits: 10_000,
      resolvedAt: null,
      resolvedOutcome: null,
      run: null,
      sector: 'sector',
      seq: 2,
      settlement: null,
      settlementSource: 'source',
      tickUnits: 1,
      ticker: 'TICK',
      title: 'title of m',
      volume: 0,
    });
    expect(marketView(s.state, 'n')).to.equal(null);
  });

  it('again changes nothing, with another body is a conflict', () => {
    const s = new Scenario().given(listMarket('m'));
    s.when(listMarket('m')).thenNothing();
    s.when(listMarket('m', { bodyHash: 'other' })).thenRejected('idempotency_conflict');
  });

  const faults: readonly (readonly [field: string, Parameters<typeof listMarket>])[] = [
    ['id', ['']],
    ['id', ['signals']],
    ['id', ['.hidden']],
    ['id', ['a b']],
    ['id', ['a'.repeat(101)]],
    ['prior', ['m', { priorUnits: 99 }]],
    ['prior', ['m', { priorUnits: 9_901 }]],
    ['prior', ['m', { priorUnits: Number.NaN }]],
    ['tickSize', ['m', { tickUnits: 2 }]],
    ['closesAt', ['m', { closesAt: Number.NaN }]],
  ];
  for (const [field, args] of faults) {
    it(`refuses ${JSON.stringify(args)}`, () => {
      new Scenario()
        .when(listMarket(...args))
        .thenRejected('validation_failed', new RegExp(`^validation failure: ${field}: `));
    });
  }

  it('is the operator’s, as all that is done to markets', () => {
    const s = new Scenario().given(openAccount('ann'), listMarket('m'));
    const commands: readonly Command[] = [
      listMarket('n'),
      amend({ title: 'x' }),
      to('ActivateMarket'),
      to('PauseMarket'),
      to('CloseMarket'),
      resolve,
      { ...base(OPERATOR), type: 'VoidMarket', marketId: 'm', priceUnits: 5_000, reason: 'r' },
      signal(),
    ];
    for (const command of commands) {
      s.when({ ...command, by: keyOf('ann') }).thenRejected('forbidden', 'Forbidden');
    }
  });

  it('must have happened before anything else', () => {
    for (const command of [
      amend({ title: 'x' }),
      to('ActivateMarket'),
      to('PauseMarket'),
      to('CloseMarket'),
      resolve,
      { ...base(OPERATOR), type: 'VoidMarket', marketId: 'm', priceUnits: 5_000, reason: 'r' } as const,
      signal(),
    ]) {
      new Scenario().when(command).thenRejected('market_not_found');
    }
  });
});

describe('amending a market', () => {
  it('changes what is given and keeps the rest', () => {
    const s = new Scenario().given(listMarket('m'));
    s.when(amend({ title: 'new', drivers: ['oil'] })).thenEvents([
      {
        at,
        citationUrl: null,
        closesAt: 2 * at,
        companyImpact: 0,
        description: null,
        drivers: ['oil'],
        marketId: 'm',
        title: 'new',
        type: 'MarketAmended',
      },
    ]);
    expect(marketView(s.state, 'm')).to.include({ title: 'new', seq: 3 });
  });

  it('to what it is changes nothing', () => {
    const s = new Scenario().given(listMarket('m', { drivers: ['oil'] }));
    s.when(amend({})).thenNothing();
    s.when(amend({ title: 'title of m', drivers: ['oil'], closesAt: 2 * at, companyImpact: 0 })).thenNothing();
    s.given(amend({ drivers: ['gas'] }), amend({ drivers: [] }));
  });

  it('is refused with a time that is none, and once it is settling', () => {
    const s = new Scenario().given(listMarket('m'));
    s.when(amend({ closesAt: 1.5 })).thenRejected('validation_failed', /closesAt/);
    s.given(resolve);
    s.when(amend({ title: 'late' })).thenRejected('market_already_resolved');
  });
});

describe('phases', () => {
  const from: Readonly<Record<string, readonly Command[]>> = {
    scheduled: [listMarket('m', { phase: 'scheduled' })],
    active: [listMarket('m')],
    paused: [listMarket('m'), to('PauseMarket')],
    closed: [listMarket('m'), to('CloseMarket')],
    settling: [listMarket('m'), resolve],
    resolved: [listMarket('m'), resolve, { ...base(SYSTEM), type: 'ContinueRun', marketId: 'm' }],
  };
  const ended: RejectionCode = 'market_already_resolved';
  const table: readonly (readonly [string, Transition, 'happens' | 'nothing' | RejectionCode])[] = [
    ['scheduled', 'ActivateMarket', 'happens'],
    ['active', 'ActivateMarket', 'nothing'],
    ['paused', 'ActivateMarket', 'happens'],
    ['closed', 'ActivateMarket', 'happens'],
    ['settling', 'ActivateMarket', ended],
    ['resolved', 'ActivateMarket', ended],
    ['scheduled', 'PauseMarket', 'market_not_active'],
    ['active', 'PauseMarket', 'happens'],
    ['paused', 'PauseMarket', 'nothing'],
    ['closed', 'PauseMarket', 'market_not_active'],
    ['settling', 'PauseMarket', ended],
    ['resolved', 'PauseMarket', ended],
    ['scheduled', 'CloseMarket', 'market_not_active'],
    ['active', 'CloseMarket', 'happens'],
    ['paused', 'CloseMarket', 'happens'],
    ['closed', 'CloseMarket', 'nothing'],
    ['settling', 'CloseMarket', ended],
    ['resolved', 'CloseMarket', ended],
  ];
  for (const [phase, type, expected] of table) {
    it(`${phase}: ${type} ${expected}`, () => {
      const s = new Scenario().given(...(from[phase] ?? []));
      expect(marketView(s.state, 'm')?.phase).to.equal(phase);
      const outcome = s.when(to(type));
      if (expected === 'nothing') outcome.thenNothing();
      else if (expected !== 'happens') outcome.thenRejected(expected);
      else if (type === 'ActivateMarket') outcome.thenEvents([{ at, marketId: 'm', type: 'MarketActivated' }]);
      else if (type === 'PauseMarket') outcome.thenEvents([{ at, marketId: 'm', type: 'MarketPaused' }]);
      else outcome.thenEvents([{ at, by: 'operator', marketId: 'm', type: 'MarketClosed' }]);
    });
  }

  it('a market listed closed never trades before it is activated, and has no run', () => {
    const s = new Scenario().given(openAccount('ann'), listMarket('m', { phase: 'closed', closesAt: at - 1 }));
    expect(marketView(s.state, 'm')?.phase).to.equal('closed');
    expect([nextTimerAt(s.state), pendingRuns(s.state)]).to.deep.equal([null, []]);
    s.when('a1 ann buy yes 1 @ 0.5').thenRejected('market_not_active', 'Market is not active');
    s.when(to('CloseMarket')).thenNothing();
    s.when(to('PauseMarket')).thenRejected('market_not_active');
    s.given(amend({ closesAt: 2 * at }), to('ActivateMarket'), 'a1 ann buy yes 1 @ 0.5');
    expect(nextTimerAt(s.state)).to.equal(2 * at);
  });

  it('only an active market takes orders', () => {
    for (const [phase, commands] of Object.entries(from)) {
      const outcome = new Scenario().given(openAccount('ann'), ...commands).when('a1 ann buy yes 1 @ 0.5');
      if (phase === 'active') expect(outcome.decision.kind).to.equal('accepted');
      else outcome.thenRejected('market_not_active', 'Market is not active');
    }
  });
});

describe('the closing time', () => {
  const order = (time: number): Command => ({ ...orderFrom(`a${time} ann buy yes 1 @ 0.5`), at: time });
  const trading = (rulesVersion?: number): Scenario =>
    new Scenario({}, undefined, rulesVersion).given(openAccount('ann'), listMarket('m'));

  it('orders that a late timer would have let in: from closesAt on there are none, whatever the clock has done', () => {
    const s = trading().given(order(2 * at - 1));
    s.when(order(2 * at)).thenRejected('market_not_active', 'Market is not active');
    // The decision's time counts, not the clock's reading: it has gone beyond closesAt with another event.
    s.given({ ...openAccount('bob'), at: 2 * at });
    s.when(order(2 * at - 1)).thenRejected('market_not_active', 'Market is not active');
    expect(closable(s.state, 2 * at)).to.deep.equal(['m']);
  });

  it('did not keep orders out by rules 1, and does from the moment on that rules 2 begin', () => {
    const s = trading(1).given(order(2 * at));
    s.given({ ...startEpoch(), at: 2 * at + 1 });
    s.when(order(2 * at + 2)).thenRejected('market_not_active');
  });

  it('a market that could be traded for ever: none is listed with a past one, unless it is closed', () => {
    const s = new Scenario().given(openAccount('ann'));
    for (const closesAt of [at - 1, at]) {
      for (const phase of ['active', 'scheduled'] as const) {
        s.when(listMarket('m', { closesAt, phase })).thenRejected(
          'validation_failed',
          'validation failure: closesAt: has passed: give a time that is later than now, or list the market closed',
        );
      }
    }
    // The decision's time counts, not the clock's reading.
    s.given({ ...openAccount('bob'), at: at + 1 });
    s.when(listMarket('m', { closesAt: at + 1 })).thenRejected('validation_failed');
    s.given(listMarket('m', { closesAt: at + 1, phase: 'closed' }), listMarket('n', { closesAt: at + 2 }));
  });

  it('of a listing that is sent again is not looked at: the market is there', () => {
    const [listed, keyed] = [listMarket('m'), listMarket('n', { idempotency: { fingerprint: 'f', key: 'k' } })];
    const s = new Scenario().given(listed, keyed);
    s.when({ ...listed, at: 3 * at }).thenNothing();
    s.when({ ...keyed, at: 3 * at }).thenNothing('replayed');
    s.when({ ...listMarket('m', { bodyHash: 'b2'.repeat(32) }), at: 3 * at }).thenRejected('idempotency_conflict');
  });

  it('is none for a market that rules 4 listed with a past one, until a later one is given', () => {
    const s = new Scenario({}, undefined, 4).given(
      openAccount('ann'),
      listMarket('m', { closesAt: at }),
      order(5 * at),
    );
    s.given({ ...startEpoch(), at: 5 * at }, order(5 * at + 1));
    s.given({ ...amend({ closesAt: 6 * at }), at: 5 * at }, order(6 * at - 1));
    s.when(order(6 * at)).thenRejected('market_not_active');
  });

  it('that passed while the market took no orders keeps them out after it is activated, until a later one is given', () => {
    const stopped: readonly (readonly Command[])[] = [
      [listMarket('m'), to('PauseMarket')],
      [listMarket('m'), to('CloseMarket')],
      [listMarket('m', { phase: 'scheduled' })],
      [listMarket('m', { phase: 'closed', closesAt: at - 1 })],
    ];
    for (const commands of stopped) {
      const s = new Scenario().given(openAccount('ann'), ...commands, to('ActivateMarket', { at: 3 * at }));
      s.when(order(3 * at)).thenRejected('market_not_active', 'Market is not active');
      expect([openMarketsPastClose(s.state), nextTimerAt(s.state)]).to.deep.equal([['m'], null]);
      s.given(amend({ closesAt: 4 * at }), order(3 * at));
      expect([openMarketsPastClose(s.state), nextTimerAt(s.state)]).to.deep.equal([[], 4 * at]);
    }
  });

  it('a market open for ever: closesAt cannot be changed to a time that has passed', () => {
    const s = trading();
    for (const closesAt of [at - 1, at]) {
      s.when(amend({ closesAt })).thenRejected('validation_failed', /^validation failure: closesAt: has passed/);
    }
    // The same closing time again changes nothing, even after that time has passed.
    s.when({ ...amend({ closesAt: 2 * at }), at: 3 * at }).thenNothing();
    s.given({ ...amend({ closesAt: 3 * at + 1 }), at: 3 * at });
  });

  it('that rules 1 let be changed to a past one: the market is named, takes no orders and can be closed', () => {
    const s = trading(1).given(amend({ closesAt: at - 1 }), order(at));
    expect(nextTimerAt(s.state)).to.equal(null);
    s.given(startEpoch());
    expect(openMarketsPastClose(s.state)).to.deep.equal(['m']);
    s.when(order(at + 1)).thenRejected('market_not_active');
    s.given(to('CloseMarket'));
    expect(openMarketsPastClose(s.state)).to.deep.equal([]);
  });
});

describe('the clock that closes markets', () => {
  const clock = (time: number): Command => ({ ...base(SYSTEM), type: 'CloseMarket', marketId: 'm', at: time });

  it('closes an active market when its time has come, not before', () => {
    const s = new Scenario().given(listMarket('m'));
    expect([nextTimerAt(s.state), closable(s.state, 2 * at - 1), closable(s.state, 2 * at)]).to.deep.equal([
      2 * at,
      [],
      ['m'],
    ]);
    s.when(clock(2 * at - 1)).thenNothing();
    s.when(clock(2 * at)).thenEvents([{ at: 2 * at, by: 'clock', marketId: 'm', type: 'MarketClosed' }]);
    s.when(clock(2 * at)).thenNothing();
    expect(nextTimerAt(s.state)).to.equal(null);
  });

  it('leaves alone what was listed, amended or activated with a time already past, and what is not active', () => {
    const late = new Scenario({}, undefined, 4).given(listMarket('m', { closesAt: at }));
    const scheduled = new Scenario().given(listMarket('m', { phase: 'scheduled' }));
    const paused = new Scenario().given(listMarket('m'), to('PauseMarket'));
    const amended = new Scenario({}, undefined, 1).given(listMarket('m'), amend({ closesAt: at }));
    const again = new Scenario().given(listMarket('m'), to('PauseMarket'), to('ActivateMarket', { at: 3 * at }));
    const ended = new Scenario().given(listMarket('m'), resolve);
    for (const s of [late, scheduled, paused, amended, again, ended]) {
      expect([nextTimerAt(s.state), closable(s.state, 9 * at)]).to.deep.equal([null, []]);
      s.when(clock(9 * at)).thenNothing();
    }
    new Scenario().when(clock(9 * at)).thenNothing();
  });

  it('waits for what was amended or activated with a time ahead', () => {
    const amended = new Scenario({}, undefined, 4).given(
      listMarket('m', { closesAt: at }),
      amend({ closesAt: 4 * at }),
    );
    expect(closable(amended.state, 4 * at)).to.deep.equal(['m']);
    const activated = new Scenario().given(listMarket('m', { phase: 'scheduled' }), to('ActivateMarket'));
    expect(closable(activated.state, 2 * at)).to.deep.equal(['m']);
  });

  it('is not put off by an amendment of something else after its time', () => {
    const s = new Scenario().given(listMarket('m'), { ...amend({ title: 'new' }), at: 3 * at });
    expect(closable(s.state, 3 * at)).to.deep.equal(['m']);
  });
});

describe('a signal', () => {
  const told = signal();
  it('is recorded once for a source and an external id', () => {
    const s = new Scenario().given(listMarket('m'));
    s.when(told).thenEvents([
      {
        at,
        citationUrl: 'https://example.org/',
        confidence: 0.5,
        event: null,
        externalId: 'x1',
        factValue: null,
        fairProb: 0.6,
        freshnessMs: null,
        headline: 'headline',
        marketId: 'm',
        publishedAt: 5,
        source: 'wire',
        threshold: null,
        type: 'SignalRecorded',
      },
    ]);
    s.when(told).thenNothing();
    expect(signalSeq(s.state, 'wire', 'x1')).to.equal(3);
    expect(signalSeq(s.state, 'wir', 'ex1')).to.equal(null);
    expect(marketView(s.state, 'm')).to.include({ seq: 3, probabilityHalfUnits: 10_000 });
  });

  it('is published at most 24 hours after it is recorded, unless it is known already', () => {
    const s = new Scenario().given(listMarket('m'));
    const ahead = (ms: number, externalId = 'x1') => signal({ externalId, publishedAt: at + ms });
    const day = 86_400_000;
    s.when(ahead(day + 1)).thenRejected('validation_failed', /^validation failure: publishedAt: is more than 24 hours/);
    s.given(ahead(day));
    s.when(ahead(366 * day)).thenNothing();
    s.when(ahead(366 * day, 'x2')).thenRejected('validation_failed');
  });

  it('may be published later by the rules of before', () => {
    const s = new Scenario({}, undefined, 4).given(listMarket('m'));
    s.given(signal({ publishedAt: at + 366 * 86_400_000 }));
  });

  it('of a settled market is refused, unless it is known already; platform-wide it needs no market', () => {
    const s = new Scenario({}, checkInvariants).given(listMarket('m'), told, resolve);
    s.when(signal({ externalId: 'x2' })).thenRejected('market_already_resolved');
    s.when(told).thenNothing();
    s.given(signal({ externalId: 'x2', marketId: null }));
  });
});
