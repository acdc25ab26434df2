export { FollowedCommands, type FollowedCommand } from './followed-commands.ts';
export { collectCommands, noteCommand } from './request-commands.ts';
export { startTracing } from './start.ts';
export { traceIdOf, type SpanAttributes, type Tracing } from './tracing.ts';
