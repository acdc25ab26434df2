import { spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.resolve(import.meta.dirname, '../../../../../..');

/** The last commit without a portal, and the present one. */
export const VERSIONS = ['50fff06', 'HEAD'] as const;

/** Runs `npm start` in a fresh clone of this version. Returns the milliseconds until it is ready. */
export async function startFreshClone(version: string): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-clone-'));
  try {
    execFileSync('git', ['clone', '-q', root, folder]);
    execFileSync('git', ['-C', folder, 'checkout', '-q', version]);
    const begunMs = performance.now();
    const child = spawn('npm', ['start'], {
      cwd: folder,
      env: { ...process.env, PORT: '0', DATA_DIR: path.join(folder, 'data'), npm_lifecycle_event: undefined },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    const exited = once(child, 'exit');
    const ready = new Promise<number>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('Ready at ')) resolve(performance.now() - begunMs);
      });
    });
    const ended = exited.then(() => {
      throw new Error(`npm start of ${version} ended before it was ready`);
    });
    ended.catch(() => undefined);
    const tookMs = await Promise.race([ready, ended]);
    // npm passes a signal on, but the whole group gets it to be safe.
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await exited;
    return tookMs;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
