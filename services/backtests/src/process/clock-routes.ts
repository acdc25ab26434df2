import { Refused } from '@paper/contracts';
import type { Client } from '@paper/contracts';
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
/** The number of answers of an account that are repeated to their Idempotency-Keys. */
const KEPT = 20;

type Advanced = z.input<typeof clockEndpoints.advanceClock.answer>;

/** An account's request to advance. Calls that continue it get the same answer. */
interface Asked {
  readonly answer: Promise<Advanced>;
  idempotency: { readonly key: string; readonly fingerprint: string } | null;
  /** The body of a request without an Idempotency-Key, as a text; null with one. */
  readonly unkeyed: string | null;
  /** The client that waits for the answer; null after it was told to call again. */
  client: Client | null;
  isDelivered: boolean;
}

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
  /** The requests of each account, the newest last. */
  const asked = new Map<string, Asked[]>();
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
      advanceClock: async (caller, { body, idempotency }, client) => {
        const { accountId } = caller;
        scopeOf(caller, body.fleet ? 'true' : undefined);
        const turn = participants.turnOf(accountId) ?? 0;
        const all = asked.get(accountId) ?? [];
        const same = idempotency === null ? undefined : all.find((one) => one.idempotency?.key === idempotency.key);
        if (same !== undefined && same.idempotency?.fingerprint !== idempotency?.fingerprint) {
          throw new Refused('idempotency_conflict', 'This Idempotency-Key was used with another body; take a new one');
        }
        const isRepeat = same?.isDelivered === true;
        // A request that nobody waits for continues, whatever the account asks for now. Whether a client that has closed
        // its side of the connection still waits is unknown, so the same request without a key continues too.
        const text = idempotency === null ? JSON.stringify(body) : null;
        const isLeft = ({ client: former, unkeyed }: Asked): boolean =>
          former?.signal.aborted !== false || (text !== null && unkeyed === text);
        let current = same ?? all.find((one) => !one.isDelivered && isLeft(one));
        if (current === undefined) {
          current = { answer: ask(turn, accountId, body), idempotency, unkeyed: text, client, isDelivered: false };
          const kept = all.filter((one) => !one.isDelivered || one.idempotency !== null).slice(1 - KEPT);
          asked.set(accountId, [...kept, current]);
        }
        current.idempotency = idempotency;
        current.client = client;
        const answer = await inTime(current.answer, ANSWER_MS, () => null);
        if (answer === null) {
          if (current.client === client) current.client = null;
          return { body: { now: iso(now()), ended: false, waiting: true, events: [], more: false }, seq: seq() };
        }
        current.isDelivered ||= !client.signal.aborted;
        return { body: answer, seq: seq(), ...replayHeaders(isRepeat) };
      },
    },
    exchange.authenticate,
  );
}
