export { Coverage } from './coverage.ts';
export { describeFailure } from './report.ts';
export { shrink, type FailingRun } from './shrink.ts';
export { simulate, USUAL_STEPS, type Failure, type Run, type Sabotage } from './simulation.ts';
