import { csv, endpoints, LEDGER_COLUMNS, ledgerEntryBody } from '@paper/contracts';
import type { LedgerEntryBody, LedgerEntryView } from '@paper/contracts';
import { queries } from '@paper/read-models';
import type { ReadModels } from '@paper/read-models';
import { etagOf, implement } from '@paper/service-kit';
import type { Authenticate, Route } from '@paper/service-kit';
import { ledgerPosition } from '../paging/paging.ts';
import type { Paging } from '../paging/paging.ts';
import type { LongReadTurns } from '../long-read-turns.ts';
import type { JournalReads } from './journal-reads.ts';

/** The fleet's ledger; needs a key with the permission `reconcile`. */
export function ledgerRoutes(
  readModels: ReadModels,
  journal: JournalReads,
  paging: Paging,
  turns: LongReadTurns,
  authenticate: Authenticate,
): Route[] {
  return implement(
    endpoints,
    {
      listLedger: async (caller, input, client) => {
        const pageRequest = paging.request(endpoints.listLedger, caller, input, ledgerPosition);
        return turns.use(caller, client, async (signal) => {
          const { page, seq } = await readModels.readLong(async (view) => {
            const primary = caller.primaryAccountId ?? caller.accountId;
            return { page: await queries.listLedger(view.db, primary, pageRequest), seq: view.seq };
          }, signal);
          const body: LedgerEntryBody[] = [];
          for (const row of page.items) body.push(ledgerEntryBody(await withEvent(row, journal, signal)));
          const next = pageRequest.linkTo(page.next);
          return input.query.format === 'csv' ? csvAnswer(body, seq, next.headers) : { body, seq, ...next };
        });
      },
    },
    authenticate,
  );
}

/**
 * Adds the id of an account's opening event, which the read models do not store. A fleet has few accounts, so few
 * reads.
 */
async function withEvent(row: queries.LedgerRow, journal: JournalReads, signal: AbortSignal): Promise<LedgerEntryView> {
  return { ...row, eventId: row.eventId ?? (await journal.eventId(row.seq, signal)) };
}

function csvAnswer(body: readonly LedgerEntryBody[], seq: number, headers?: Readonly<Record<string, string>>) {
  const rows = body.map((entry) => LEDGER_COLUMNS.map((column) => entry[column]));
  const bytes = Buffer.from(csv(LEDGER_COLUMNS, rows));
  return {
    preSerialized: { bytes, etag: etagOf(bytes) },
    mediaType: 'text/csv' as const,
    seq,
    headers: { ...headers, 'content-disposition': 'attachment; filename="ledger.csv"' },
  };
}
