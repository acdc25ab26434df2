import { accountEventBody } from '@paper/contracts/accounts';
import { backtestEndpoints } from '@paper/contracts/backtests';
import { iso, parseInstant } from '@paper/contracts/units';
import { implement, replayHeaders } from '@paper/http';
import type { Route } from '@paper/http';
import { scopeOf } from '@paper/stream-gateway';
import { inTime } from '@paper/timing';
import type { z } from 'zod';
import type { BacktestExchange } from './exchange.ts';
import type { Feed } from './feed.ts';
import type { Participants } from './participants.ts';
import type { Playback } from './playback.ts';
import type { Turns } from './turns.ts';

const { advanceClock, getClock } = backtestEndpoints;
export const clockEndpoints = { advanceClock, getClock };

const ANSWER_MS = 25_000;

type Advanced = z.input<typeof clockEndpoints.advanceClock.answer>;

/** What serves the requests of participants. */
export interface TurnParts {
  readonly exchange: BacktestExchange;
  readonly feed: Feed;
  readonly participants: Participants;
  readonly playback: Playback;
  readonly turns: Turns;
}

export function clockRoutes({ exchange, feed, participants, playback, turns }: TurnParts): Route[] {
  const { now, seq } = exchange;
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
        await playback.settle();
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
        const turn = participants.turnOf(accountId) ?? 0;
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
    exchange.authenticate,
  );
}
