import { Refused } from '@paper/contracts';
import type { Writer } from '@paper/command-side';
import type { Logger } from '@paper/runtime';

type Submit = Writer['submit'];

const TARGETS = ['marketId', 'accountId', 'keyId', 'externalId'] as const;

/** Logs each operator's command, also of batches, once answered: who, what, its target, its sequence or refusal. */
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
