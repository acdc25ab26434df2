import { endpoints, type OperatorCaller, type OperatorStatusBody } from '@paper/contracts';
import type { Idempotency } from '@paper/exchange';
import { route, type Authenticate, type Route } from '@paper/service-kit';
import { toAnswer, type Desk } from './desk.ts';
import { approveAccount, issueKey, openAccount, revokeAnyKey } from './operator-accounts.ts';
import { operatorBatch } from './operator-batch.ts';
import { amendMarket, changePhase, listMarket, recordSignal, resolveMarket, voidMarket } from './operator-markets.ts';

const call = (caller: OperatorCaller, input: { readonly idempotency: Idempotency | null }) => ({
  caller,
  idempotency: input.idempotency,
});

/** Every operator's command, and the status. `authenticate` is never asked: the pipeline knows operators by their tokens. */
export function operatorRoutes(
  desk: Desk,
  status: () => Promise<OperatorStatusBody>,
  authenticate: Authenticate,
): readonly Route[] {
  return [
    route(
      endpoints.createMarket,
      async (caller, input) => toAnswer(await listMarket(desk, call(caller, input), input.body)),
      authenticate,
    ),
    route(
      endpoints.amendMarket,
      async (caller, input) =>
        toAnswer(await amendMarket(desk, call(caller, input), { ...input.body, id: input.params.id })),
      authenticate,
    ),
    route(
      endpoints.activateMarket,
      async (caller, input) => toAnswer(await changePhase(desk, call(caller, input), 'ActivateMarket', input.params)),
      authenticate,
    ),
    route(
      endpoints.pauseMarket,
      async (caller, input) => toAnswer(await changePhase(desk, call(caller, input), 'PauseMarket', input.params)),
      authenticate,
    ),
    route(
      endpoints.closeMarket,
      async (caller, input) => toAnswer(await changePhase(desk, call(caller, input), 'CloseMarket', input.params)),
      authenticate,
    ),
    route(
      endpoints.resolveMarket,
      async (caller, input) =>
        toAnswer(await resolveMarket(desk, call(caller, input), { ...input.body, id: input.params.id })),
      authenticate,
    ),
    route(
      endpoints.voidMarket,
      async (caller, input) =>
        toAnswer(await voidMarket(desk, call(caller, input), { ...input.body, id: input.params.id })),
      authenticate,
    ),
    route(
      endpoints.recordSignal,
      async (caller, input) => toAnswer(await recordSignal(desk, call(caller, input), input.body)),
      authenticate,
    ),
    route(
      endpoints.openAccount,
      async (caller, input) => {
        const kept = await desk.names.keepOne(input.body.displayName);
        return toAnswer(await openAccount(desk, call(caller, input), input.body, kept));
      },
      authenticate,
    ),
    route(
      endpoints.issueAccountKey,
      async (caller, input) =>
        toAnswer(await issueKey(desk, call(caller, input), { ...input.body, id: input.params.id })),
      authenticate,
    ),
    route(
      endpoints.revokeAccountKey,
      async (caller, input) => toAnswer(await revokeAnyKey(desk, call(caller, input), input.params.keyId)),
      authenticate,
    ),
    route(
      endpoints.approveAccount,
      async (caller, input) => toAnswer(await approveAccount(desk, call(caller, input), input.params)),
      authenticate,
    ),
    route(endpoints.runOperatorBatch, operatorBatch(desk), authenticate),
    route(
      endpoints.getOperatorStatus,
      async () => {
        const body = await status();
        return { body, seq: body.journalSeq };
      },
      authenticate,
    ),
  ];
}
