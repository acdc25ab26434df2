import { endpoints, type OperatorCaller, type OperatorStatusBody } from '@paper/contracts';
import type { Idempotency } from '@paper/exchange';
import { route, type Authenticate, type Route } from '@paper/service-kit';
import { toAnswer, type CommandGateway } from './command-gateway.ts';
import { approveAccount, issueKey, openAccount, revokeAnyKey } from './operator-accounts.ts';
import { operatorBatch } from './operator-batch.ts';
import { amendMarket, changePhase, listMarket, recordSignal, resolveMarket, voidMarket } from './operator-markets.ts';

const call = (caller: OperatorCaller, input: { readonly idempotency: Idempotency | null }) => ({
  caller,
  idempotency: input.idempotency,
});

/** All operators' commands, and the status. Never calls `authenticate`: the pipeline checks operators' tokens. */
export function operatorRoutes(
  gateway: CommandGateway,
  status: () => Promise<OperatorStatusBody>,
  authenticate: Authenticate,
): readonly Route[] {
  return [
    ...marketRoutes(gateway, authenticate),
    ...accountRoutes(gateway, authenticate),
    route(endpoints.runOperatorBatch, operatorBatch(gateway), authenticate),
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

function marketRoutes(gateway: CommandGateway, authenticate: Authenticate): readonly Route[] {
  return [
    route(
      endpoints.createMarket,
      async (caller, input) => toAnswer(await listMarket(gateway, call(caller, input), input.body)),
      authenticate,
    ),
    route(
      endpoints.amendMarket,
      async (caller, input) =>
        toAnswer(await amendMarket(gateway, call(caller, input), { ...input.body, id: input.params.id })),
      authenticate,
    ),
    route(
      endpoints.activateMarket,
      async (caller, input) =>
        toAnswer(await changePhase(gateway, call(caller, input), 'ActivateMarket', input.params)),
      authenticate,
    ),
    route(
      endpoints.pauseMarket,
      async (caller, input) => toAnswer(await changePhase(gateway, call(caller, input), 'PauseMarket', input.params)),
      authenticate,
    ),
    route(
      endpoints.closeMarket,
      async (caller, input) => toAnswer(await changePhase(gateway, call(caller, input), 'CloseMarket', input.params)),
      authenticate,
    ),
    route(
      endpoints.resolveMarket,
      async (caller, input) =>
        toAnswer(await resolveMarket(gateway, call(caller, input), { ...input.body, id: input.params.id })),
      authenticate,
    ),
    route(
      endpoints.voidMarket,
      async (caller, input) =>
        toAnswer(await voidMarket(gateway, call(caller, input), { ...input.body, id: input.params.id })),
      authenticate,
    ),
    route(
      endpoints.recordSignal,
      async (caller, input) => toAnswer(await recordSignal(gateway, call(caller, input), input.body)),
      authenticate,
    ),
  ];
}

function accountRoutes(gateway: CommandGateway, authenticate: Authenticate): readonly Route[] {
  return [
    route(
      endpoints.openAccount,
      async (caller, input) => {
        const name = await gateway.names.storeOne(input.body.displayName);
        return toAnswer(await openAccount(gateway, call(caller, input), input.body, name));
      },
      authenticate,
    ),
    route(
      endpoints.issueAccountKey,
      async (caller, input) =>
        toAnswer(await issueKey(gateway, call(caller, input), { ...input.body, id: input.params.id })),
      authenticate,
    ),
    route(
      endpoints.revokeAccountKey,
      async (caller, input) => toAnswer(await revokeAnyKey(gateway, call(caller, input), input.params.keyId)),
      authenticate,
    ),
    route(
      endpoints.approveAccount,
      async (caller, input) => toAnswer(await approveAccount(gateway, call(caller, input), input.params)),
      authenticate,
    ),
  ];
}
