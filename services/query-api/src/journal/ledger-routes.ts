import { endpoints } from '@paper/contracts';
import { LEDGER_COLUMNS, LedgerEntry } from '@paper/contracts/journal';
import type { LedgerEntryBody, LedgerEntryView } from '@paper/contracts/journal';
import { queries } from '@paper/read-models';
import { ledgerPosition } from '../paging/paging.ts';
import { csvAnswer } from '../written-list.ts';
import type { JournalReads } from './journal-reads.ts';
import type { Handlers, RouteParts } from '../route-parts.ts';

export function ledgerHandlers({ journal, paging, readModels, turns }: RouteParts): Handlers {
  return {
    listLedger: async (caller, input, client) => {
      const pageRequest = paging.request(endpoints.listLedger, caller, input, ledgerPosition);
      return turns.use(caller, client, async (signal) => {
        const { page, seq } = await readModels.readLong(async (view) => {
          const primary = caller.primaryAccountId ?? caller.accountId;
          return { page: await queries.listLedger(view.db, primary, pageRequest), seq: view.seq };
        }, signal);
        const body: LedgerEntryBody[] = [];
        for (const row of page.items) body.push(LedgerEntry.body(await withEvent(row, journal, signal)));
        const answered = { seq, ...pageRequest.linkTo(page.next) };
        if (input.query.format === 'csv') return csvAnswer('ledger', LEDGER_COLUMNS, body, answered);
        return { body, ...answered };
      });
    },
  };
}

/** Adds the id of an account's opening event from the journal, since the read models do not store it. */
async function withEvent(row: queries.LedgerRow, journal: JournalReads, signal: AbortSignal): Promise<LedgerEntryView> {
  return { ...row, eventId: row.eventId ?? (await journal.eventId(row.seq, signal)) };
}
