import type { CommandOf } from '../commands.ts';
import { FORBIDDEN, accept } from '../decision.ts';
import type { Decision } from '../decision.ts';
import type { EventOf } from '../events.ts';
import { RULES_VERSION } from '../rules.ts';
import { decisionTime } from '../state/state.ts';
import type { State } from '../state/state.ts';

/** Starts a writer's epoch. The settings hold until the next epoch. */
export function startWriterEpoch(state: State, command: CommandOf<'StartWriterEpoch'>): Decision {
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

/** Begins an epoch. Throws when its rules are newer than this build. */
export function epochStarted(state: State, event: EventOf<'WriterEpochStarted'>): void {
  if (event.rulesVersion > RULES_VERSION) {
    throw new Error(
      `epoch ${event.epoch} is decided by rules version ${event.rulesVersion}, this build (rules up to version ` +
        `${RULES_VERSION}) is older: run the build that wrote it`,
    );
  }
  state.epoch = event.epoch;
  state.rulesVersion = event.rulesVersion;
  state.settings = event.settings;
}
