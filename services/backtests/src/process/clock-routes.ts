import { accountEventBody } from '@paper/contracts/accounts';
import { backtestEndpoints } from '@paper/contracts/backtests';
import { iso, parseInstant } from '@paper/contracts/units';
import { implement, replayHeaders } from '@paper/http';
import type { Authenticate, Route } from '@paper/http';
import { scopeOf } from '@paper/stream-gateway';
import { inTime } from '@paper/timing';
import type { z } from 'zod';
import type { Feed } from './feed.ts';
import type { Turns } from './turns.ts';

const { advanceClock, getClock } = backtestEndpoints;
export const clockEndpoints = { advanceClock, getClock };

const ANSWER_MS = 25_000;

type Advanced = z.input<typeof clockEndpoints.advanceClock.answer>;

interface Options {
  readonly turns: Turns;
  readonly feed: Feed;
  readonly now: () => number;
  readonly settle: () => Promise<void>;
  readonly seq: () => number;
  readonly turnOf: (accountId: string) => number | null;
  readonly authenticate: Authenticate;
}

export function clockRoutes({ authenticate, feed, now, seq, settle, turnOf, turns }: Options): Route[] {
  /** The last request of each participant, and its last answer. */
  const asked = new Map<number, { key: string | null; readonly answer: Promise<Advanced>; isDelivered: boolean }>();
  const news = (accountId: string, isFleet: boolean): Advanced => {
    const { events, more } = feed.read(accountId, isFleet);
    return { now: iso(now()), ended: turns.isOver, waiting: false, events: events.map(accountEventBody), more };
  };
  const ask = (
    turn: number,
    accountId: string,
    { fleet, until, wake }: z.output<typeof advanceClock.body>,
  ): Promise<Advanced> =>
    new Promise((resolve) => {
      const untilMs = until === undefined ? Infinity : parseInstant(until);
      turns.serve(turn, async () => {
        await settle();
        const isFull = (): boolean => feed.isFull(accountId, fleet);
        if (turns.isOver || untilMs <= now() || isFull()) {
          resolve(news(accountId, fleet));
          return;
        }
        const since = feed.position(accountId, fleet);
        turns.wait(turn, {
          isWoken: () => feed.hasNews(wake, accountId, fleet, since) || isFull(),
          onTurn: () => resolve(news(accountId, fleet)),
          untilMs,
        });
      });
    });
  return implement(
    clockEndpoints,
    {
      getClock: () => ({
        body: { now: iso(now()), waitingFor: [...turns.waitedFor], ended: turns.isOver },
        seq: seq(),
      }),
      advanceClock: async (caller, { body, idempotency }) => {
        const { accountId } = caller;
        scopeOf(caller, body.fleet ? 'true' : undefined);
        const turn = turnOf(accountId) ?? 0;
        const key = idempotency?.key ?? null;
        let last = asked.get(turn);
        const isRepeat = last !== undefined && last.isDelivered && key !== null && key === last.key;
        // A request without an answer so far continues, whatever the participant asks for now.
        if (last === undefined || (last.isDelivered && !isRepeat)) {
          last = { key, answer: ask(turn, accountId, body), isDelivered: false };
          asked.set(turn, last);
        }
        const current = last;
        const answer = await inTime(current.answer, ANSWER_MS, () => null);
        if (answer === null) {
          return { body: { now: iso(now()), ended: false, waiting: true, events: [], more: false }, seq: seq() };
        }
        current.isDelivered = true;
        current.key = key;
        return { body: answer, seq: seq(), ...replayHeaders(isRepeat) };
      },
    },
    authenticate,
  );
}
