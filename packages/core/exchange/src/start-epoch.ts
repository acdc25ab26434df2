import type { StartWriterEpoch } from './commands.ts';
import { FORBIDDEN, accept } from './decision.ts';
import type { Decision } from './decision.ts';
import { decisionTime } from './state.ts';
import type { State } from './state.ts';

/** Starts a writer's epoch. The settings hold until the next epoch. */
export function startWriterEpoch(state: State, command: StartWriterEpoch): Decision {
  if (command.by.kind !== 'system') return FORBIDDEN;
  return accept([
    {
      at: decisionTime(state, command.at),
      build: command.build,
      epoch: state.epoch + 1,
      rulesVersion: command.rulesVersion,
      settings: command.settings,
      type: 'WriterEpochStarted',
      writerId: command.writerId,
    },
  ]);
}
