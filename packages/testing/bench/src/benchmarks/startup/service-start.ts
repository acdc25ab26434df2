import { startServiceProcess } from '@paper/supervisor';
import { processorSeconds } from '../../index.ts';

export type ServiceStart = Awaited<ReturnType<typeof measureStart>>;

const BEGINS = /"msg":"(the fold of the journal begins from a snapshot|the journal is folded from its first event)"/;
const FOLDED = /"msg":"the lease is held"/;
const SERVES = /"msg":"the command side serves"/;

/**
 * Starts a `command-api` as `npm run start:services` does, and stops it when it accepts commands. Times are from the
 * spawn of its process. @throws Error when it ends before
 */
export async function measureStart(databaseUrl: string) {
  const begunMs = performance.now();
  const passedMs = (): number => performance.now() - begunMs;
  const marks = [BEGINS, FOLDED, SERVES].map((pattern) => new Mark(pattern, passedMs));
  let log = '';
  const service = await startServiceProcess(
    'command-api',
    // The wall clock is accepted unchecked, since the generated journal has its own times.
    { DATABASE_URL: databaseUrl, LOG_LEVEL: 'info', SNAPSHOT_EVERY: '0', ACCEPT_CLOCK: 'on' },
    {
      onLog: (chunk) => {
        log += chunk.toString();
        for (const mark of marks) mark.look(log);
      },
    },
  );
  const listensMs = passedMs();
  const failed = service.ended.then((end) => {
    throw new Error(`command-api ${end} before it served\n${log}`);
  });
  const seen = Promise.all(marks.map((mark) => mark.seenMs));
  const [beginsMs = 0, foldedMs = 0, servesMs = 0] = await Promise.race([seen, failed]);
  failed.catch(() => undefined);
  const cpuMs = 1_000 * (await processorSeconds(`${service.operationUrl}/metrics`));
  await service.stop();
  return {
    listensMs,
    /** Until the fold begins; a snapshot, if there is one, has been read by then. */
    beginsMs,
    /** Until the fold has reached the journal's end and the process holds the lease. */
    foldedMs,
    servesMs,
    /** CPU time of the process from the load of its program until it takes commands. */
    cpuMs,
  };
}

/** The time at which a text first appeared in the log. */
class Mark {
  #see: (atMs: number) => void = () => undefined;
  readonly seenMs = new Promise<number>((resolve) => (this.#see = resolve));

  constructor(
    private readonly pattern: RegExp,
    private readonly passedMs: () => number,
  ) {}

  look(log: string): void {
    if (this.pattern.test(log)) this.#see(this.passedMs());
  }
}
