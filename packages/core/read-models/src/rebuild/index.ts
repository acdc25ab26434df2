export { abortRebuild, dropFormerSchemas } from './clear.ts';
export { retryable } from '../engine/divergence.ts';
export { RebuildRunning } from './rebuild-lock.ts';
export { fillWhereEmpty } from './fill-empty.ts';
export { correctLeaderboard } from './leaderboard.ts';
export { rebuild, TABLES_AT_ONCE, type RebuildOptions, type RebuildProgress } from './rebuild.ts';
export { RebuildAborted } from './swap.ts';
export { returnToFormer } from './return-to-former.ts';
export { rebuildStatus, rebuildStatusOf, type RebuildStatus, type SchemaState } from './status.ts';
