/** Receives the writer's events; the composition root turns them into metrics, log lines and alarms. */
export interface WriterObserver {
  /** A command was decided. `outcome` is the decision's kind, or the code of its refusal. */
  decided(commandType: string, outcome: string): void;
  appended(batch: { readonly events: number; readonly bytes: number; readonly tookMs: number }): void;
  /** A batch is sent again because the outcome of its append is unknown. `attempt` counts from 1. */
  resent(attempt: number, error: unknown): void;
  queueDepth(depth: number): void;
  /** An operator has to look at a fault: a bug, or a journal that refuses. */
  alarm(message: string, error: unknown): void;
  /** The writer's condition changed, without need for an alarm. */
  noted(message: string, details: Readonly<Record<string, unknown>>): void;
}
