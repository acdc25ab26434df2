export { FollowedCommands, type FollowedCommand } from './followed-commands.ts';
export { collectCommands, noteCommand } from './request-commands.ts';
export { startTracing } from './start.ts';
export {
  traceIdOf,
  type EndedSpan,
  type SpanAttributes,
  type SpanName,
  type Tracing,
  type TracingOptions,
} from './tracing.ts';
