export { Coverage } from './coverage.ts';
export { reportOf, type FailedRun } from './report.ts';
export { shrink, type FailingRun } from './shrink.ts';
export { simulate, USUAL_STEPS, type Failure, type Run, type Sabotage } from './simulation.ts';
