import { setTimeout as pause } from 'node:timers/promises';
import { longTest } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { expect } from 'chai';
import { createClient, createOperatorClient, TapeNotFound } from '../src/index.ts';
import type { PaperTradingClient } from '../src/index.ts';
import { failure } from './scripted-server.ts';

const TAPE = 'made-news';
/** A time of the tape, in seconds from its first whole minute. */
const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 15) + 1_000 * seconds).toISOString();
const ORDER = { marketId: TAPE, outcome: 'yes', orderType: 'market', quantity: 5 } as const;

describe('a backtest by the client', function () {
  this.timeout(120_000);
  let service: RunningStandalone;
  let owner: PaperTradingClient;

  before(async () => {
    service = await startStandalone();
    const operator = createOperatorClient({ baseUrl: service.baseUrl, key: service.operatorToken });
    const { apiKey } = await operator.openAccount({ displayName: 'Owner' });
    owner = createClient({ baseUrl: service.baseUrl, key: apiKey.rawKey });
  });
  after(() => service.stop());

  it('is played to its end, and gives the same journal each time', async function () {
    longTest(this);
    const settings = { tape: TAPE, to: at(60), seed: 7 };
    const times: number[] = [];
    const play = async (bot: PaperTradingClient): Promise<void> => {
      for await (const now of bot.every(20_000)) {
        times.push(now);
        await bot.createOrder(ORDER);
      }
    };
    const [one, other] = [await owner.backtest(settings, play), await owner.backtest(settings, play)];
    expect(times).to.have.length(6);
    expect(one.journal).to.deep.equal(other.journal);
    expect(one.participants[0]?.fills.length).to.be.at.least(3);
    const [first] = await owner.fetchBacktests();
    expect(first).to.include({ id: other.id, state: 'ended', tape: TAPE });
    const lines = await owner.fetchBacktestJournal(other.id).all();
    expect(lines.at(-1)?.hash).to.equal(other.journal.hash);
  });

  it('gives an order’s fill to the stream of its account, at the same time of the exchange', async () => {
    const report = await owner.backtest({ tape: TAPE, to: at(30), latencyMs: 100 }, async (bot) => {
      const events = bot.watchAccount();
      await events.open();
      const sent = await bot.now();
      const order = await bot.createOrder(ORDER);
      expect(await bot.now()).to.equal(sent + 100);
      for await (const event of events) {
        if (event.type !== 'fill') continue;
        expect(event.fill.orderId).to.equal(order.id);
        expect(await bot.now()).to.equal(sent + 100);
        break;
      }
    });
    expect(report.participants[0]?.fills[0]).to.include({ role: 'taker', side: 'buy' });
  });

  it('with a late feed shows books, their trades and pulses as late', async () => {
    const late = 5_000;
    const shown: number[] = [];
    await owner.backtest({ tape: TAPE, to: at(40), feedLatencyMs: late }, async (bot) => {
      const books = async (): Promise<void> => {
        for await (const event of bot.watchOrderBook(TAPE)) {
          const time = (await bot.now()) - late;
          if (event.type === 'trade') shown.push(Date.parse(event.createdAt) - time);
          if (event.type !== 'snapshot') continue;
          const past = await bot.fetchOrderBook(TAPE, { asOfSeq: event.seq });
          expect(event.yes).to.deep.equal(past.yes);
          const [last] = await bot.fetchTrades({ marketId: TAPE, to: new Date(time + 1).toISOString(), limit: 1 });
          expect(event.lastTradePrice).to.equal(last?.yesPrice ?? null);
        }
      };
      const pulses = async (): Promise<void> => {
        for await (const { ts } of bot.watchPulse()) expect(Date.parse(ts)).to.be.at.most((await bot.now()) - late);
      };
      await bot.sleep(late);
      await Promise.all([books(), pulses()]);
    });
    expect(shown).to.have.length.greaterThan(0);
    expect(Math.max(...shown)).to.equal(0);
  });

  it('with several participants, each plays by its own client, and one that is done lets the others go on', async () => {
    const told: string[] = [];
    await owner.backtest({ tape: TAPE, to: at(30), participants: 2 }, async (bot, { turn }) => {
      for await (const now of bot.every(5_000)) {
        // The clock is read without a turn; everything else waits for it.
        await bot.fetchBalance();
        told.push(`${turn} at ${(now - Date.parse(at(0))) / 1_000}`);
        if (turn === 0) return;
      }
    });
    expect(told[0]).to.match(/^0 at /);
    expect(told.filter((one) => one.startsWith('1 '))).to.have.length.at.least(5);
  });

  it('shows a participant the trades of a later one at the moment at which both were called', async function () {
    longTest(this);
    const traded: number[] = [];
    const shown: number[] = [];
    await owner.backtest({ tape: TAPE, to: at(60), participants: 2 }, async (bot, { turn }) => {
      const ticks = async (): Promise<void> => {
        for await (const now of bot.every(10_000)) {
          if (turn === 0) continue;
          const { filledQty } = await bot.createOrder(ORDER);
          if (filledQty > 0) traded.push(now);
        }
      };
      const books = async (): Promise<void> => {
        for await (const event of bot.watchOrderBook(TAPE)) if (event.type === 'trade') shown.push(await bot.now());
      };
      await Promise.all(turn === 0 ? [ticks(), books()] : [ticks()]);
    });
    expect(traded).to.have.length.at.least(3);
    expect(shown).to.include.members(traded);
  });

  it('gives the report where participants were left out, whatever their bots do then', async function () {
    longTest(this);
    const short = { tape: TAPE, to: at(60), patienceSeconds: 1 };
    const report = await owner.backtest({ ...short, participants: 2 }, async (bot, { turn }) => {
      if (turn === 0) await pause(1_500);
      await bot.createOrder(ORDER);
    });
    expect(report.leftOut).to.have.length(1);
    expect(report.reproducible).to.equal(false);
    expect(report.participants.map(({ fills }) => fills.length > 0)).to.deep.equal([false, true]);
    // The tape goes on to its end without a participant.
    const alone = await owner.backtest(short, () => pause(1_500));
    expect(alone.leftOut).to.have.length(1);
    expect(alone.partial).to.equal(false);
  });

  it('is deleted where the bot throws, and refused where there is no such tape', async () => {
    const before = await owner.fetchBacktests();
    const error = await failure(
      owner.backtest({ tape: TAPE, to: at(30) }, () => {
        throw new Error('a fault of the bot');
      }),
    );
    expect(error).to.have.property('message', 'a fault of the bot');
    expect(await owner.fetchBacktests()).to.deep.equal(before);
    expect(await failure(owner.backtest({ tape: 'none' }, () => undefined))).to.be.instanceOf(TapeNotFound);
  });
});
