import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Unavailable } from '@paper/contracts';
import type { TapeListBody } from '@paper/contracts/backtests';
import { writePrivateFile } from '@paper/runtime';
import { inTime } from '@paper/timing';
import { MADE_NEWS } from '@paper/tapes';
import { startChild } from './child-process.ts';
import type { ReadingJob, ReadTape } from './reading-process.ts';

const WAIT_MS = 12_000;

interface PlacedTape {
  readonly id: string;
  /** Where `openTape` finds it. */
  readonly place: string;
  /** The names, sizes and times of its files. */
  readonly mark: string;
}

/** What was read of a tape, and its mark then. */
interface Known {
  readonly mark: string;
  readonly read: ReadTape;
}

/** The tapes of a folder, and the generated one. Each is read once, until the sizes or times of its files change. */
export class Tapes {
  #known: Map<string, Known> | null = null;
  #reading: Promise<void> | null = null;

  constructor(
    private readonly folder: string,
    private readonly cacheFile: string,
  ) {}

  /** Lists the tapes. Throws Unavailable while they are read for the first time. */
  async list(): Promise<TapeListBody> {
    const found = await this.#found();
    return {
      tapes: found.flatMap(({ read }) => ('tape' in read ? [read.tape] : [])),
      refused: found.flatMap(({ id, read }) => ('refused' in read ? [{ id, why: read.refused }] : [])),
    };
  }

  /** The tape with this id, or why it cannot be played; null if there is none. Throws Unavailable. */
  async find(id: string): Promise<{ readonly place: string; readonly read: ReadTape } | null> {
    return (await this.#found(id))[0] ?? null;
  }

  async #found(id?: string) {
    const all = await this.#places();
    const places = id === undefined ? all : all.filter((place) => place.id === id);
    this.#known ??= await readCache(this.cacheFile);
    const known = this.#known;
    const isNew = ({ id, mark }: PlacedTape): boolean => known.get(id)?.mark !== mark;
    const untilMs = performance.now() + WAIT_MS;
    // A reading that is under way may be of other tapes.
    while (places.some(isNew) && performance.now() < untilMs) {
      this.#reading ??= this.#read(places.filter(isNew), known).finally(() => (this.#reading = null));
      await inTime(this.#reading, untilMs - performance.now(), () => undefined);
    }
    const left = places.filter(isNew).length;
    if (left > 0) throw new Unavailable(`${left} of ${places.length} tapes are being read; try again`);
    return places.flatMap(({ id, place }) => {
      const read = known.get(id)?.read;
      return read === undefined ? [] : [{ id, place, read }];
    });
  }

  async #read(places: readonly PlacedTape[], known: Map<string, Known>): Promise<void> {
    const left = [...places];
    const found = (read: unknown): void => {
      const one = left.shift();
      if (one !== undefined) known.set(one.id, { mark: one.mark, read: read as ReadTape });
    };
    while (left.length > 0) {
      const job: ReadingJob = { kind: 'tapes', places: left.map(({ place }) => place) };
      const how = await startChild('host/reading-process', job, found).ended;
      // Only a tape at which the process failed is left.
      found({ refused: `it cannot be read: ${how}` });
    }
    writePrivateFile(this.cacheFile, JSON.stringify([...known]));
  }

  async #places(): Promise<readonly PlacedTape[]> {
    const entries = await readdir(this.folder, { withFileTypes: true }).catch(() => []);
    const ids = entries
      .filter((entry) => (entry.isFile() || entry.isDirectory()) && !NO_TAPE.test(entry.name))
      .map(({ name }) => name)
      .filter((name) => name !== MADE_NEWS)
      .sort();
    const placed = await Promise.all(
      ids.map(async (id) => {
        const place = path.join(this.folder, id);
        // A tape that cannot be looked at is refused, with the reason, when it is read.
        const mark = await markOf(place).catch((error: unknown) => String(error));
        return { id, place, mark };
      }),
    );
    return [{ id: MADE_NEWS, place: MADE_NEWS, mark: MADE_NEWS }, ...placed];
  }
}

/** Files beside tapes, and names that begin with a dot. */
const NO_TAPE = /^(?:\.|tape\.json$|news\.jsonl$)/;

/** The names, sizes and times of a tape's files, including its tape.json and news.jsonl. Links are not followed. */
async function markOf(place: string): Promise<string> {
  const isFolder = (await lstat(place)).isDirectory();
  const names = isFolder ? await readdir(place) : [path.basename(place), 'tape.json', 'news.jsonl'];
  const marks = await Promise.all(
    names.sort().map(async (name) => {
      const found = await lstat(path.join(isFolder ? place : path.dirname(place), name)).catch(() => null);
      return found?.isFile() === true ? `${name} ${found.size} ${found.mtimeMs}` : '';
    }),
  );
  return marks.join('\n');
}

async function readCache(file: string): Promise<Map<string, Known>> {
  try {
    return new Map(JSON.parse(await readFile(file, 'utf8')) as [string, Known][]);
  } catch {
    // The file does not exist yet, or is invalid: the tapes are read again.
    return new Map();
  }
}
