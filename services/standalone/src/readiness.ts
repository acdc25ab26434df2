import type { CommandSide } from '@paper/command-api';
import type { ReadModels } from '@paper/read-models';
import type { ReadinessCheck } from '@paper/service-kit';

/** The checks that must pass before traffic may come. */
export function readinessChecks(
  projector: ReadinessCheck,
  commandSide: CommandSide,
  readModels: ReadModels,
): readonly ReadinessCheck[] {
  return [
    projector,
    commandSide.readiness,
    {
      name: 'database',
      check: async () => {
        await readModels.seq();
      },
    },
  ];
}
