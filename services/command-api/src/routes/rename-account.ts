import type { endpoints, Handler } from '@paper/contracts';
import { meBody } from '@paper/contracts/accounts';
import { givenName, nameKeyOf } from '../answers/accounts.ts';
import { assertNotReserved } from '../commands/display-name.ts';
import { toAnswer, baseOf, eventOf, laneOf } from '../command-gateway.ts';
import type { CommandGateway } from '../command-gateway.ts';

/** Gives the caller's account another display name, stored before the decision. Answers like GET /api/me. */
export function renameAccount(gateway: CommandGateway, now: () => number): Handler<typeof endpoints.renameAccount> {
  return async (caller, { body, idempotency }) => {
    const { accountId } = caller;
    const base = baseOf(caller, idempotency);
    assertNotReserved(gateway, { caller, idempotency }, body.displayName);
    const former = nameKeyOf(gateway.state(), accountId);
    const name = await gateway.names.storeNext(former, body.displayName);
    const rename = { ...base, nameDigest: name.nameDigest, type: 'RenameAccount' } as const;
    const result = await gateway.names.open(name, () =>
      gateway.submit(laneOf(caller), rename, (decision) => eventOf(decision, 'AccountRenamed').nameDigest),
    );
    await gateway.readModel.fresh(result.seq);
    const holder = await gateway.readModel.keyHolder(caller.keyId);
    if (holder === null) throw new Error(`key ${caller.keyId} has no account`);
    const displayName = await givenName(gateway, result, { accountId, digest: result.value }, name);
    return toAnswer({ ...result, value: meBody({ ...holder, displayName }, now()) });
  };
}
