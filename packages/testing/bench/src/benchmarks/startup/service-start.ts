import { startServiceProcess } from '@paper/supervisor';
import { processorSeconds } from '../../index.ts';

export type ServiceStart = Awaited<ReturnType<typeof measureStart>>;

/** Lines of the log, in their order: the fold begins, the journal is folded, commands are taken. */
const MARKS = [
  /"msg":"(the fold of the journal begins from a snapshot|the journal is folded from its first event)"/,
  /"msg":"the lease is held"/,
  /"msg":"the command side serves"/,
];

/**
 * Starts a `command-api` as `npm run start:services` does, and stops it when it accepts commands. Times are from the
 * spawn of its process. @throws Error when it ends before
 */
export async function measureStart(databaseUrl: string) {
  const begunMs = performance.now();
  const passedMs = (): number => performance.now() - begunMs;
  const seenMs: number[] = [];
  let log = '';
  let onServing: () => void = () => undefined;
  const served = new Promise<void>((resolve) => (onServing = resolve));
  const service = await startServiceProcess(
    'command-api',
    // The wall clock is accepted unchecked, since the generated journal has its own times.
    { DATABASE_URL: databaseUrl, LOG_LEVEL: 'info', SNAPSHOT_EVERY: '0', ACCEPT_CLOCK: 'on' },
    {
      onLog: (chunk) => {
        log += chunk.toString();
        for (const [index, mark] of MARKS.entries()) if (mark.test(log)) seenMs[index] ??= passedMs();
        if (seenMs.length === MARKS.length) onServing();
      },
    },
  );
  const listensMs = passedMs();
  const failed = service.ended.then((end) => {
    throw new Error(`command-api ${end} before it served\n${log}`);
  });
  await Promise.race([served, failed]);
  const [beginsMs = 0, foldedMs = 0, servesMs = 0] = seenMs;
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
