import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const LIBRARY = 'faketime/libfaketimeMT.so.1';
const SHARED_MEMORY = '/dev/shm';
/** How long libfaketime caches the content of its file. */
const CACHED_S = 1;

/** How far clocks are ahead of the true time, in whole seconds; negative: behind. */
export interface Offsets {
  readonly processS: number;
  /** The offset of all other clocks, such as that of its Postgres. */
  readonly machineS: number;
}

/**
 * The wall clocks of a standalone's processes, faked by Debian's libfaketime by a file each; monotonic time is
 * unchanged. The service starts its Postgres with a clean environment through `setpriv`, so a wrapper of that name is
 * first on PATH and adds the library.
 */
export class FakeClocks {
  readonly #before = new Set(sharedByLibrary());

  private constructor(
    private readonly folder: string,
    private readonly library: string,
    private readonly setpriv: string,
  ) {
    // Started by root, Postgres runs as another user, who must reach the folder.
    chmodSync(path.dirname(folder), 0o711);
    mkdirSync(path.join(folder, 'bin'), { recursive: true });
    this.set({ machineS: 0, processS: 0 });
    const settings = Object.entries(this.#settings('machine')).map(([name, value]) => `${name}='${value}'`);
    const wrapper = `#!/bin/sh\n${settings.join(' ')} exec '${setpriv}' "$@"\n`;
    writeFileSync(path.join(folder, 'bin', 'setpriv'), wrapper, { mode: 0o755 });
    for (const one of [folder, path.join(folder, 'bin')]) chmodSync(one, 0o755);
  }

  /** Creates the clocks in this new folder, or returns the reason why it cannot. */
  static make(folder: string): FakeClocks | string {
    const library = findLibrary();
    if (library === null) return 'libfaketime is not installed (Debian: faketime)';
    const setpriv = (process.env['PATH'] ?? '').split(':').map((place) => path.join(place, 'setpriv'));
    const found = setpriv.find((file) => existsSync(file));
    if (found === undefined) return 'there is no setpriv, by which Postgres could be shown another time';
    const clocks = new FakeClocks(folder, library, found);
    return clocks.#isSeenByOthers() ? clocks : `other accounts do not see ${folder}`;
  }

  get env(): Readonly<Record<string, string>> {
    return { ...this.#settings('process'), PATH: `${path.join(this.folder, 'bin')}:${process.env['PATH'] ?? ''}` };
  }

  /** Sets both clocks. Every process uses the new time within a second. */
  set({ machineS, processS }: Offsets): void {
    this.#write('machine', machineS);
    this.#write('process', processS);
  }

  /** Frees shared memory that the library leaves for each process that was killed or replaced by another program. */
  sweep(): void {
    for (const name of sharedByLibrary()) {
      const pid = name.slice(name.lastIndexOf('_') + 1);
      if (!this.#before.has(name) && !existsSync(`/proc/${pid}`)) {
        rmSync(path.join(SHARED_MEMORY, name), { force: true });
      }
    }
  }

  /** Writes atomically: a reader sees the old time or the new one. */
  #write(clock: 'machine' | 'process', seconds: number): void {
    const file = path.join(this.folder, clock);
    writeFileSync(`${file}.new`, `${seconds >= 0 ? '+' : ''}${seconds}`);
    chmodSync(`${file}.new`, 0o644);
    renameSync(`${file}.new`, file);
  }

  #settings(clock: 'machine' | 'process'): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: this.library,
      FAKETIME_TIMESTAMP_FILE: path.join(this.folder, clock),
      FAKETIME_CACHE_DURATION: String(CACHED_S),
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }

  #isSeenByOthers(): boolean {
    const trialS = -100_000;
    this.#write('machine', trialS);
    const asOther = process.getuid?.() === 0 ? ['--reuid', '65534', '--regid', '65534', '--clear-groups'] : [];
    const wrapper = path.join(this.folder, 'bin', 'setpriv');
    const asked = spawnSync(this.setpriv, [...asOther, '--', wrapper, '--', 'date', '+%s'], { encoding: 'utf8' });
    this.#write('machine', 0);
    return Math.abs(Number(asked.stdout) - Date.now() / 1_000 - trialS) < 60;
  }
}

function findLibrary(): string | null {
  const folders = ['/usr/lib', '/usr/local/lib'].filter((folder) => existsSync(folder));
  const places = folders.flatMap((folder) => [folder, ...readdirSync(folder).map((name) => path.join(folder, name))]);
  return places.map((place) => path.join(place, LIBRARY)).find((file) => existsSync(file)) ?? null;
}

const sharedByLibrary = (): readonly string[] =>
  existsSync(SHARED_MEMORY)
    ? readdirSync(SHARED_MEMORY).filter((name) => /^(sem\.)?faketime_(sem|shm)_\d+$/.test(name))
    : [];
