export { orExitCode2 } from './exit-code.ts';
export { showProgress } from './progress.ts';
