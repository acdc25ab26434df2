/** Receives the writer's events; the composition root turns them into metrics, log lines and alarms. */
export interface WriterObserver {
  /** `outcome` is the decision's kind, or the code of its refusal. */
  decided(commandType: string, outcome: string): void;
  appended(batch: { readonly events: number; readonly bytes: number; readonly tookMs: number }): void;
  /** The outcome of an append is unknown and it is sent again. `attempt` counts from 1. */
  resent(attempt: number, error: unknown): void;
  queueDepth(depth: number): void;
  /** An operator has to look at this: a bug, or a journal that refuses. */
  alarm(message: string, error: unknown): void;
  /** A change in the writer's life that is no alarm. */
  noted(message: string, details: Readonly<Record<string, unknown>>): void;
}
