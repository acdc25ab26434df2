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
      endpoints.operatorListMarket,
      async (caller, input) => toAnswer(await listMarket(desk, call(caller, input), input.body)),
      authenticate,
    ),
    route(
      endpoints.operatorAmendMarket,
      async (caller, input) =>
        toAnswer(await amendMarket(desk, call(caller, input), { ...input.body, id: input.params.id })),
      authenticate,
    ),
    route(
      endpoints.operatorActivateMarket,
      async (caller, input) => toAnswer(await changePhase(desk, call(caller, input), 'ActivateMarket', input.params)),
      authenticate,
    ),
    route(
      endpoints.operatorPauseMarket,
      async (caller, input) => toAnswer(await changePhase(desk, call(caller, input), 'PauseMarket', input.params)),
      authenticate,
    ),
    route(
      endpoints.operatorCloseMarket,
      async (caller, input) => toAnswer(await changePhase(desk, call(caller, input), 'CloseMarket', input.params)),
      authenticate,
    ),
    route(
      endpoints.operatorResolveMarket,
      async (caller, input) =>
        toAnswer(await resolveMarket(desk, call(caller, input), { ...input.body, id: input.params.id })),
      authenticate,
    ),
    route(
      endpoints.operatorVoidMarket,
      async (caller, input) =>
        toAnswer(await voidMarket(desk, call(caller, input), { ...input.body, id: input.params.id })),
      authenticate,
    ),
    route(
      endpoints.operatorRecordSignal,
      async (caller, input) => toAnswer(await recordSignal(desk, call(caller, input), input.body)),
      authenticate,
    ),
    route(
      endpoints.operatorOpenAccount,
      async (caller, input) => {
        const kept = await desk.names.keepOne(input.body.displayName);
        return toAnswer(await openAccount(desk, call(caller, input), input.body, kept));
      },
      authenticate,
    ),
    route(
      endpoints.operatorIssueKey,
      async (caller, input) =>
        toAnswer(await issueKey(desk, call(caller, input), { ...input.body, id: input.params.id })),
      authenticate,
    ),
    route(
      endpoints.operatorRevokeKey,
      async (caller, input) => toAnswer(await revokeAnyKey(desk, call(caller, input), input.params.keyId)),
      authenticate,
    ),
    route(
      endpoints.operatorApproveAccount,
      async (caller, input) => toAnswer(await approveAccount(desk, call(caller, input), input.params)),
      authenticate,
    ),
    route(endpoints.operatorBatch, operatorBatch(desk), authenticate),
    route(
      endpoints.operatorStatus,
      async () => {
        const body = await status();
        return { body, seq: body.journalSeq };
      },
      authenticate,
    ),
  ];
}
