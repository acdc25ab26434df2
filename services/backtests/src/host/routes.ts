import { ApiError, Refused } from '@paper/contracts';
import type { PreSerialized } from '@paper/contracts';
import { backtestEndpoints } from '@paper/contracts/backtests';
import { etagOf, implement, replayHeaders } from '@paper/http';
import type { Authenticate, Route } from '@paper/http';
import type { BacktestManager } from './manager.ts';
import { Reports } from './reports.ts';
import type { Tapes } from './tapes.ts';

/** The endpoints of tapes and backtests. Each answer has the live journal's sequence. */
export function backtestRoutes(
  tapes: Tapes,
  manager: BacktestManager,
  journalSeq: () => number | Promise<number>,
  authenticate: Authenticate,
): Route[] {
  const reports = new Reports();
  const answerOf = async <B>(body: B) => ({ body, seq: await journalSeq() });
  return implement(
    backtestEndpoints,
    {
      listTapes: async () => answerOf(await tapes.list()),
      startBacktest: async (caller, { body, idempotency }, client) => {
        const started = await manager.start(caller, body, idempotency, () => !client.signal.aborted);
        const isRepeat = started.participants.some(({ apiKey }) => apiKey === undefined);
        return { ...(await answerOf(started)), ...replayHeaders(isRepeat) };
      },
      listBacktests: (caller) => answerOf({ backtests: [...manager.list(caller)] }),
      getBacktest: (caller, { params: { id } }) => answerOf(manager.get(caller, id)),
      deleteBacktest: async (caller, { params: { id } }) => {
        await manager.remove(caller, id);
        return answerOf({ ok: true });
      },
      getBacktestReport: async (caller, { params: { id }, query }): Promise<PreSerialized> => {
        const isPartial = manager.get(caller, id).state !== 'ended';
        if (isPartial && query.partial !== 'true') {
          throw new Refused('backtest_not_ended', 'The backtest has not ended: partial=true gives what there is');
        }
        const bytes = await reports.report(manager.folderOf(caller, id), isPartial);
        return { preSerialized: { bytes, etag: etagOf(bytes) }, seq: await journalSeq() };
      },
      readBacktestJournal: async (caller, { params: { id }, query }): Promise<PreSerialized> => {
        const [from, limit] = [Number(query.from ?? 1), query.limit];
        const { bytes, count, hasNext } = await manager.journalOf(caller, id).page(from, limit);
        const next = `</api/backtests/${id}/journal?from=${from + count}&limit=${limit}>; rel="next"`;
        return {
          mediaType: 'application/x-ndjson',
          preSerialized: { bytes, etag: etagOf(bytes) },
          seq: await journalSeq(),
          ...(hasNext ? { headers: { link: next } } : {}),
        };
      },
      getClock: notHere,
      advanceClock: notHere,
    },
    authenticate,
  ).map((one) => (SLOW.has(one.endpoint.id) ? { ...one, answerMs: SLOW_MS } : one));
}

/** The routes that wait for a process, which has the lowest priority. */
const SLOW: ReadonlySet<string> = new Set(
  [backtestEndpoints.startBacktest, backtestEndpoints.listTapes, backtestEndpoints.getBacktestReport].map(
    ({ id }) => id,
  ),
);
const SLOW_MS = 60_000;

function notHere(): never {
  throw new ApiError('not_found', 'Only backtests have a clock: use the base URL of a backtest');
}
