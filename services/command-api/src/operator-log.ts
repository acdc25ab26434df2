import { Refused } from '@paper/contracts';
import type { Writer } from '@paper/command-side';
import type { Logger } from '@paper/runtime';

type Submit = Writer['submit'];

/** The fields that name a command's target, the most specific first. */
const TARGETS = ['marketId', 'accountId', 'keyId', 'externalId'] as const;

/**
 * Logs each command of an operator once it is answered, at level info: the operator's name, the command, its target,
 * and its sequence or why it was refused. Applies to single calls and to items of batches.
 */
export function withOperatorLog(submit: Submit, logger: Logger): Submit {
  return (lane, command, answer) => {
    const submitted = submit(lane, command, answer);
    if (command.by.kind !== 'operator') return submitted;
    const action = { operator: command.by.name, command: command.type, target: targetOf(command) };
    return submitted.then(
      (result) => {
        logger.info({ ...action, seq: result.seq, replayed: result.replayed }, 'an operator acted');
        return result;
      },
      (error: unknown) => {
        logger.info({ ...action, reason: reasonOf(error) }, 'an operator was refused');
        throw error;
      },
    );
  };
}

function targetOf(command: Parameters<Submit>[1]): string | null {
  const fields = command as Readonly<Partial<Record<(typeof TARGETS)[number], string | null>>>;
  return TARGETS.map((name) => fields[name] ?? null).find((value) => value !== null) ?? null;
}

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.code;
  return error instanceof Error ? error.message : String(error);
}
