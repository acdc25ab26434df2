import { Refused, Unavailable } from '@paper/contracts';
import type { endpoints, Handler, OperatorCaller } from '@paper/contracts';
import type { BatchCommandBody, BatchResultBody, MalformedCommand } from '@paper/contracts/operator';
import type { Head } from '@paper/journal';
import type { CommandResult, StoredName } from '@paper/command-side';
import { apiErrorOf, replayHeaders } from '@paper/http';
import { actorOf, keyOfItem, newestHead } from '../command-gateway.ts';
import type { CommandGateway } from '../command-gateway.ts';
import { carryOut, permitsCommand } from './operator-commands.ts';
import type { OperatorCall } from './operator-markets.ts';

type Result = Extract<BatchResultBody, { ok: true }>['result'];

/** One result of a batch. `head`: the journal position at which it is true; null for a failure. */
interface Done {
  readonly result: BatchResultBody;
  readonly head: Head | null;
  /** Whether this is a replay: the first answer to this Idempotency-Key, sent again. */
  readonly replayed: boolean;
}

/**
 * Carries out a batch as if each command waited for the previous one: all are in one lane of the queue. The close,
 * resolution or void of a market is decided in pieces that could change the results of later commands, so those wait
 * for its end. The Idempotency-Key applies to each item by its index, so the batch can be sent again.
 */
export function operatorBatch(gateway: CommandGateway): Handler<typeof endpoints.runOperatorBatch> {
  return async (caller, { body, idempotency }) => {
    const done: Promise<Done>[] = [];
    // Names are stored first, so that a command after an account's opening need not wait for them.
    const names = await storeNames(gateway, caller, body.commands);
    let running: Promise<unknown> = Promise.resolve();
    for (const [index, command] of body.commands.entries()) {
      await running;
      const call = {
        caller,
        idempotency: keyOfItem(idempotency, '/api/operator/batch', command, index),
        name: names.get(command),
      };
      const result = settle(perform(gateway, call, command));
      done.push(result);
      if (command.op === 'close-market' || command.op === 'resolve-market' || command.op === 'void-market') {
        running = result;
      }
    }
    const all = await Promise.all(done);
    if (idempotency !== null && !all.some(({ result }) => result.ok)) {
      refuseForeignKey(gateway, caller, idempotency.key, all);
    }
    const answer = { results: all.map(({ result }) => result) };
    const heads = all.flatMap(({ head }) => head ?? []);
    const newest = heads.length === 0 ? { seq: 0 } : newestHead(gateway, heads);
    return { body: answer, ...newest, ...replayHeaders(isReplayed(all)) };
  };
}

type Names = ReadonlyMap<BatchCommandBody | MalformedCommand, StoredName>;

/** Stores the display names of all accounts that the batch may open; returns none if they cannot be stored. */
async function storeNames(
  gateway: CommandGateway,
  caller: OperatorCaller,
  commands: readonly (BatchCommandBody | MalformedCommand)[],
): Promise<Names> {
  const opening = permitsCommand(caller, 'open-account')
    ? commands.filter((command) => command.op === 'open-account')
    : [];
  const names = await gateway.names.store(opening.map(({ displayName }) => displayName)).catch((error: unknown) => {
    if (error instanceof Unavailable) return [];
    throw error;
  });
  return new Map(names.map((name, index) => [opening[index] as BatchCommandBody, name]));
}

function isReplayed(all: readonly Done[]): boolean {
  return (
    all.some(({ replayed }) => replayed) &&
    !all.some(({ replayed, result }) => result.ok && result.changed && !replayed)
  );
}

/** Refuses the batch if a single command has used its key: then every item was a conflict. @throws Refused */
function refuseForeignKey(gateway: CommandGateway, caller: OperatorCaller, key: string, all: readonly Done[]): void {
  const conflict = all.find(({ result }) => !result.ok && result.code === 'idempotency_conflict')?.result;
  if (conflict === undefined || conflict.ok || !gateway.usedBySingle(actorOf(caller), key)) return;
  throw new Refused('idempotency_conflict', conflict.error);
}

async function perform(gateway: CommandGateway, call: OperatorCall, command: BatchCommandBody | MalformedCommand) {
  if (command.op === null) throw new Refused('validation_failed', command.error);
  return carryOut(gateway, call, command);
}

async function settle(work: Promise<CommandResult<Result>>): Promise<Done> {
  try {
    const { changed, replayed, value, seq, hash } = await work;
    return { result: { ok: true, changed, result: value }, head: { hash, seq }, replayed };
  } catch (error) {
    const refusal = apiErrorOf(error);
    if (refusal === null) throw error;
    return {
      result: { code: refusal.code, error: refusal.message, ok: false, status: refusal.status },
      head: null,
      replayed: false,
    };
  }
}
