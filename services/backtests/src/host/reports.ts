import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Refused, Unavailable } from '@paper/contracts';
import { inTime } from '@paper/timing';
import { JOURNAL_FILE, RECORD_FILE } from '../protocol.ts';
import { startChild } from './child-process.ts';
import type { ReadingJob, WrittenReport } from './reading-process.ts';

/** The longest wait for a report; the client must then ask again. Clients wait 15 s for an answer. */
const WAIT_MS = 12_000;

export class Reports {
  /** How long partial reports took that were not made in time for who waited. They serve as long again. */
  readonly #slowMs = new Map<string, number>();
  readonly #making = new Map<string, Promise<void>>();
  #last: Promise<unknown> = Promise.resolve();

  /** Reads the report. Throws Unavailable while it is being made; Refused when there is nothing to report yet. */
  async report(folder: string, partial: boolean): Promise<Buffer> {
    const file = path.join(folder, partial ? 'report-partial.json' : 'report.json');
    if (!(await isCurrent(file, path.join(folder, JOURNAL_FILE), this.#slowMs.get(file) ?? 0))) {
      await inTime(this.#making.get(file) ?? this.#make(folder, partial, file), WAIT_MS, () => {
        throw new Unavailable('The report is being made; try again');
      });
    }
    return readFile(file);
  }

  #make(folder: string, partial: boolean, file: string): Promise<void> {
    const begunMs = performance.now();
    const making = this.#last
      .then(() => write({ kind: 'report', folder, partial, file }))
      .finally(() => {
        this.#making.delete(file);
        const tookMs = performance.now() - begunMs;
        if (tookMs > WAIT_MS) this.#slowMs.set(file, tookMs);
        else this.#slowMs.delete(file);
      });
    this.#making.set(file, making);
    this.#last = making.catch(() => undefined);
    return making;
  }
}

async function write(job: ReadingJob): Promise<void> {
  const written: WrittenReport[] = [];
  const how = await startChild('host/reading-process', job, (result) => written.push(result as WrittenReport)).ended;
  const [result] = written;
  if (result === undefined) throw new Unavailable(`The report could not be made: ${how}; try again`);
  if (!('refused' in result)) return;
  if (job.kind === 'report' && job.partial && !existsSync(path.join(job.folder, RECORD_FILE))) {
    throw new Refused('backtest_not_ended', 'There is nothing to report yet: it has played no moment');
  }
  throw new Error(`a report could not be made: ${result.refused}`);
}

/** Whether the file covers the whole journal, or is not older than this. */
async function isCurrent(file: string, journal: string, ageMs: number): Promise<boolean> {
  const [made, grown] = await Promise.all([file, journal].map((name) => stat(name).catch(() => null)));
  if (made === null || made === undefined) return false;
  return made.mtimeMs >= (grown?.mtimeMs ?? 0) || Date.now() - made.mtimeMs < ageMs;
}
