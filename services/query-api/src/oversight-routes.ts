import { endpoints } from '@paper/contracts';
import { ListedAccount, OneSidedTransfer, TRANSFER_DAYS } from '@paper/contracts/operator';
import { DAY_MS } from '@paper/contracts/units';
import { queries, rebuilding } from '@paper/read-models';
import { unknownMarket } from './market-routes.ts';
import { sequencePosition } from './paging/paging.ts';
import type { Handlers, RouteParts } from './route-parts.ts';

const HALF_UNITS_PER_DOLLAR = 20_000;

/** Operators' reads. They may scan whole tables, so all except the rebuild's status take turns. */
export function oversightHandlers({ now, paging, readModels, turns }: RouteParts): Handlers {
  return {
    listHolders: (caller, { params: { id }, query: { limit } }, client) =>
      turns.read(caller, client, async ({ db, seq }) => {
        const body = await queries.findHolders(db, id, limit);
        if (body === null) throw unknownMarket(id);
        return { body, seq };
      }),
    listAccounts: (caller, input, client) => {
      const approved = input.query.approved === undefined ? undefined : input.query.approved === 'true';
      const { after, limit, linkTo } = paging.request(endpoints.listAccounts, caller, input, sequencePosition);
      return turns.read(caller, client, async ({ db, seq }) => {
        const page = await queries.listPrimaryAccounts(db, { approved, limit, after });
        return { body: page.items.map(ListedAccount.body), seq, ...linkTo(page.next) };
      });
    },
    listOneSidedTransfers: (caller, { query: { above, from, limit } }, client) =>
      turns.read(caller, client, async ({ db, seq }) => {
        const fromMs = from === undefined ? now() - TRANSFER_DAYS * DAY_MS : Date.parse(from);
        const filter = { fromMs, aboveHalfUnits: above * HALF_UNITS_PER_DOLLAR, limit };
        return { body: (await queries.listOneSidedTransfers(db, filter)).map(OneSidedTransfer.body), seq };
      }),
    getRebuildStatus: async () => {
      const { version, running, schemas } = await readModels.readAnyway(rebuilding.rebuildStatusOf);
      const served = schemas.find((one) => one.version === version && one.status === 'active');
      return { body: { version, running, schemas: [...schemas] }, seq: served?.seq ?? 0 };
    },
  };
}
