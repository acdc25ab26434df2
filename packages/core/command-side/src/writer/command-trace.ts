import type { SpanAttributes, Tracing } from '@paper/tracing';
import type { Batch } from './append.ts';
import type { PendingCommand } from './pending-command.ts';

/** Records the writer's spans: waiting, decision, append. Its clock has fractions of a millisecond. */
export class CommandTrace {
  constructor(private readonly tracing: Pick<Tracing, 'record'>) {}

  now(): number {
    return performance.now();
  }

  /** Records that a command was decided just now. `outcome`: the decision's kind, or the code of its refusal. */
  decided({ command, lane, queuedMs }: PendingCommand, outcome: string, startMs: number): void {
    const endMs = this.now();
    const { causationId, correlationId, id, type } = command;
    const attributes: SpanAttributes = { 'paper.command': type, 'paper.command_id': id, 'paper.outcome': outcome };
    // A timer's command is the root of its trace. Commands that continue a run belong to the trace of the command that
    // caused it.
    const isRoot = lane.kind === 'system' && causationId === id;
    if (queuedMs !== null && !isRoot) {
      this.tracing.record({ name: 'queue', correlationId, startMs: queuedMs, endMs: startMs, attributes });
    }
    this.tracing.record({ name: 'decide', correlationId, startMs, endMs, attributes, isRoot });
  }

  /** Records that a batch was acknowledged just now. One append is in the trace of each command that waited for it. */
  appended({ answers, bytes, events }: Batch, startMs: number): void {
    const endMs = this.now();
    const attributes: SpanAttributes = {
      'paper.batch.bytes': bytes,
      'paper.batch.events': events.length,
      'paper.seq': events.at(-1)?.seq ?? 0,
    };
    const correlationIds = new Set(answers.map(({ pending }) => pending.command.correlationId));
    for (const correlationId of correlationIds) {
      this.tracing.record({ name: 'append', correlationId, startMs, endMs, attributes });
    }
  }
}
