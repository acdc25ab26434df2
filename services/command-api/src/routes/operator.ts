import { endpoints } from '@paper/contracts';
import type { BatchCommandBody } from '@paper/contracts/operator';
import type { OperatorStatusBody } from '@paper/contracts/service';
import { implement } from '@paper/http';
import type { Authenticate, Route } from '@paper/http';
import { toAnswer } from '../command-gateway.ts';
import type { CommandGateway } from '../command-gateway.ts';
import { closeAccount, forgetAccount, repeatOpening, revokeAnyKey } from './operator-accounts.ts';
import { operatorBatch } from './operator-batch.ts';
import { carryOut } from './operator-commands.ts';
import type { BodyOf, OperatorCall } from './operator-markets.ts';
import { getUsage } from './usage.ts';

/** The routes of all operators' commands, the status and the usage. The pipeline itself checks operators' tokens. */
export function operatorRoutes(
  gateway: CommandGateway,
  status: () => Promise<OperatorStatusBody>,
  now: () => number,
  authenticate: Authenticate,
): readonly Route[] {
  /** A single call is carried out like the batch command with the same fields. */
  const single = async <O extends BatchCommandBody['op']>(call: OperatorCall, command: { op: O } & BodyOf<O>) =>
    toAnswer(await carryOut(gateway, call, command));
  return implement(
    endpoints,
    {
      createMarket: (caller, { body, idempotency }) => single({ caller, idempotency }, { op: 'list-market', ...body }),
      amendMarket: (caller, { params, body, idempotency }) =>
        single({ caller, idempotency }, { op: 'amend-market', ...body, id: params.id }),
      activateMarket: (caller, { params, idempotency }) =>
        single({ caller, idempotency }, { op: 'activate-market', id: params.id }),
      pauseMarket: (caller, { params, idempotency }) =>
        single({ caller, idempotency }, { op: 'pause-market', id: params.id }),
      closeMarket: (caller, { params, idempotency }) =>
        single({ caller, idempotency }, { op: 'close-market', id: params.id }),
      resolveMarket: (caller, { params, body, idempotency }) =>
        single({ caller, idempotency }, { op: 'resolve-market', ...body, id: params.id }),
      voidMarket: (caller, { params, body, idempotency }) =>
        single({ caller, idempotency }, { op: 'void-market', ...body, id: params.id }),
      recordSignal: (caller, { body, idempotency }) =>
        single({ caller, idempotency }, { op: 'record-signal', ...body }),
      openAccount: async (caller, { body: { id, ...body }, idempotency }) => {
        if (id !== undefined && gateway.state().accounts.has(id)) {
          return toAnswer(await repeatOpening(gateway, { caller, idempotency }, body, id));
        }
        const name = await gateway.names.storeOne(body.displayName, id);
        return single({ caller, idempotency, name }, { op: 'open-account', ...body });
      },
      issueAccountKey: (caller, { params, body, idempotency }) =>
        single({ caller, idempotency }, { op: 'issue-key', ...body, id: params.id }),
      approveAccount: (caller, { params, idempotency }) =>
        single({ caller, idempotency }, { op: 'approve-account', id: params.id }),
      closeAccount: async (caller, { params, idempotency }) =>
        toAnswer(await closeAccount(gateway, { caller, idempotency }, params.id)),
      forgetAccount: async (caller, { params, idempotency }) =>
        toAnswer(await forgetAccount(gateway, { caller, idempotency }, params.id)),
      revokeAccountKey: async (caller, { params, idempotency }) =>
        toAnswer(await revokeAnyKey(gateway, { caller, idempotency }, params.keyId)),
      runOperatorBatch: operatorBatch(gateway),
      getUsage: getUsage(gateway, now),
      getOperatorStatus: async () => {
        const body = await status();
        return { body, seq: body.journalSeq };
      },
    },
    authenticate,
  );
}
