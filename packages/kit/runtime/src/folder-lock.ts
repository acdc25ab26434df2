import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readIfPresent } from './private-file.ts';
import { npmCommandOf, processStartedAt } from './process-identity.ts';
import { StartRefused } from './start-refused.ts';

export class FolderInUse extends StartRefused {
  override readonly name = 'FolderInUse';
  constructor(
    readonly folder: string,
    readonly pid: number,
  ) {
    const holder = npmCommandOf(pid) ?? 'another running instance';
    super(`${folder} is in use by ${holder} (pid ${pid}). Stop it first, or choose another DATA_DIR.`);
  }
}

/**
 * Takes the file `folder/name` as a lock; the returned function releases it. The lock of a process that has ended is
 * taken over, and so is an unreadable file. Throws FolderInUse when a living process holds it, including this one.
 */
export function lockFolder(folder: string, name: string): () => void {
  const file = `${folder}/${name}`;
  const draft = `${file}.${process.pid}.tmp`;
  const content = `${process.pid} ${processStartedAt(process.pid) ?? ''}\n`;
  for (;;) {
    writeFileSync(draft, content, { mode: 0o600 });
    try {
      linkSync(draft, file);
      return () => {
        if (readIfPresent(file) === content) rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    const held = readIfPresent(file);
    if (held === null) continue;
    assertNotHeld(folder, held);
    takeAway(file, held);
  }
}

/** Throws FolderInUse when a living process holds the lock. Changes nothing. */
export function assertFolderFree(folder: string, name: string): void {
  const held = readIfPresent(`${folder}/${name}`);
  if (held !== null) assertNotHeld(folder, held);
}

function assertNotHeld(folder: string, held: string): void {
  const holder = livingHolder(held);
  if (holder !== null) throw new FolderInUse(folder, holder);
}

function livingHolder(content: string): number | null {
  const [pid, startedAt] = content.trim().split(/ (.*)/s);
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 0) return null;
  return processStartedAt(number) === startedAt ? number : null;
}

/** Removes a stale lock, unless another process has taken it over in the meantime. */
function takeAway(file: string, stale: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    if (readIfPresent(aside) !== stale) linkSync(aside, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
