import {
  ApiError,
  type BatchCommandBody,
  type BatchResultBody,
  type endpoints,
  type Handler,
  type MalformedCommand,
  type OperatorCaller,
} from '@paper/contracts';
import type { Head } from '@paper/journal';
import type { KeptName } from '../names/display-names.ts';
import type { Decided } from '../writer/ask.ts';
import { unavailable } from '../writer/refusals.ts';
import type { Desk } from './desk.ts';
import { approveAccount, issueKey, openAccount } from './operator-accounts.ts';
import {
  amendMarket,
  changePhase,
  listMarket,
  recordSignal,
  resolveMarket,
  voidMarket,
  type OperatorCall,
} from './operator-markets.ts';

type Result = Extract<BatchResultBody, { ok: true }>['result'];

/** One result, and the place in the journal that it is true at; null of a failure. */
interface Done {
  readonly result: BatchResultBody;
  readonly head: Head | null;
}

/**
 * Carries out a batch as if its commands came one after the other, each waiting for the one before. All are in one
 * lane, so they are decided in order without waiting; only what follows the close, resolve or void of a market waits
 * until that has run to its end, since what is decided of the market in between could differ. What is no command gets
 * its refusal as its result.
 */
export function operatorBatch(desk: Desk): Handler<typeof endpoints.operatorBatch> {
  return async (caller, { body }) => {
    const done: Promise<Done>[] = [];
    // Before all else, so that what follows the opening of an account need not wait for its name.
    const names = await keepNames(desk, body.commands);
    let running: Promise<unknown> = Promise.resolve();
    for (const command of body.commands) {
      await running;
      const result = settle(carryOut(desk, caller, command, names));
      done.push(result);
      if (command.op === 'close-market' || command.op === 'resolve-market' || command.op === 'void-market')
        running = result;
    }
    const all = await Promise.all(done);
    const answer = { results: all.map(({ result }) => result) };
    const newest = all.reduce<Head | null>((last, { head }) => newer(last, head), null);
    return newest === null ? { body: answer, seq: 0 } : { body: answer, ...newest };
  };
}

type Names = ReadonlyMap<BatchCommandBody | MalformedCommand, KeptName>;

/** The display names of all accounts that the batch opens; none where they cannot be kept. */
async function keepNames(desk: Desk, commands: readonly (BatchCommandBody | MalformedCommand)[]): Promise<Names> {
  const opening = commands.filter((command) => command.op === 'open-account');
  const kept = await desk.names.keep(opening.map(({ displayName }) => displayName)).catch((error: unknown) => {
    if (error instanceof ApiError) return [];
    throw error;
  });
  return new Map(kept.map((name, index) => [opening[index] as BatchCommandBody, name]));
}

async function settle(work: Promise<Decided<Result>>): Promise<Done> {
  try {
    const { changed, value, seq, hash } = await work;
    return { result: { ok: true, changed, result: value }, head: { hash, seq } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { result: { code: error.code, error: error.message, ok: false, status: error.status }, head: null };
  }
}

function noName(): never {
  throw unavailable('its display name cannot be kept; try again');
}

function newer(one: Head | null, other: Head | null): Head | null {
  if (one === null || other === null) return one ?? other;
  return one.seq >= other.seq ? one : other;
}

async function carryOut(
  desk: Desk,
  caller: OperatorCaller,
  command: BatchCommandBody | MalformedCommand,
  names: Names,
): Promise<Decided<Result>> {
  const call: OperatorCall = { caller, idempotency: null };
  switch (command.op) {
    case null:
      throw new ApiError('validation_failed', command.error);
    case 'list-market':
      return listMarket(desk, call, command);
    case 'amend-market':
      return amendMarket(desk, call, command);
    case 'activate-market':
      return changePhase(desk, call, 'ActivateMarket', command);
    case 'pause-market':
      return changePhase(desk, call, 'PauseMarket', command);
    case 'close-market':
      return changePhase(desk, call, 'CloseMarket', command);
    case 'resolve-market':
      return resolveMarket(desk, call, command);
    case 'void-market':
      return voidMarket(desk, call, command);
    case 'record-signal':
      return recordSignal(desk, call, command);
    case 'open-account':
      return openAccount(desk, call, command, names.get(command) ?? noName());
    case 'issue-key':
      return issueKey(desk, call, command);
    case 'approve-account':
      return approveAccount(desk, call, command);
  }
}
