export { COMMANDS } from './commands.mjs';
export type { CommandDeclaration } from './declaration.d.mts';
export { callOf } from './declaration.mjs';
export { exampleOf, helpOf, helpOfAll } from './help.mjs';
export { interruption } from './interruption.ts';
export { startProgress } from './progress.mjs';
export { report, runCommand, startCommand, type Given, type Work } from './run-command.ts';
export { showProgress, showWhile, type Progress } from './show-progress.ts';
export { parseArguments, UsageError } from './arguments.mjs';
