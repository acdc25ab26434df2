/** One change of the portal as a process of its own, to be killed. Settings as JSON in the first argument. */
import { runStep } from './portal-steps.ts';
import type { PortalStep, StepSettings } from './portal-steps.ts';

const { step, settings } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly step: PortalStep;
  readonly settings: StepSettings;
};
await runStep(step, settings);
process.exit(0);
