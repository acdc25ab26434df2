import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { runningPostgres } from '@paper/embedded-postgres';
import { openJournal } from '@paper/journal';
import { killAtExit } from '@paper/runtime';
import type { Program } from '@paper/supervisor';
import { placeCluster } from '../servers/cluster-template.ts';
import { builtProgram } from './built.ts';
import type { RunningExchange } from './running-exchange.ts';

/** The content of DATA_DIR/service.json, which the standalone writes when it is ready. */
export interface ServiceFile {
  readonly baseUrl: string;
  readonly publicUrl: string;
  readonly operatorToken: string;
  readonly metricsUrl: string;
  readonly pid: number;
  readonly demo: { readonly accountId: string; readonly apiKey: string } | null;
}

export interface RunningStandalone extends ServiceFile, RunningExchange {
  readonly child: ChildProcess;
}

export interface StandaloneOptions {
  /** Settings that override the defaults of tests: a free port, no demo, no rate limits, no reserved disk space. */
  readonly env?: Readonly<Record<string, string>>;
  /** The data folder. Default: a new temporary folder, which is removed at the stop. */
  readonly dataDir?: string;
  readonly program?: Program;
}

/** The folder of a standalone under test; call `remove` after its last process has ended. */
export function temporaryDataDir(): { readonly dataDir: string; remove(): void } {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'standalone-'));
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

/** Starts the built standalone as a separate process, and waits until it is ready. */
export async function startStandalone(options: StandaloneOptions = {}): Promise<RunningStandalone> {
  const folder = options.dataDir === undefined ? temporaryDataDir() : null;
  const dataDir = options.dataDir ?? folder?.dataDir ?? '';
  if ((options.env?.['DATABASE_URL'] ?? '') === '') await placeCluster(dataDir);
  const { args, cwd } = options.program ?? (await builtProgram('services/standalone/src/main'));
  const child = spawn(process.execPath, args, {
    cwd,
    env: {
      ...process.env,
      PORT: '0',
      DEMO: 'off',
      HOUSE_BOTS: 'off',
      RATE_LIMITS: 'off',
      DATA_DIR: dataDir,
      // The default of 64 MB for each standalone would add up to gigabytes in a run.
      RESERVE_MB: '0',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killAtExit(child);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      output += `${line}\n`;
      if (line.startsWith('Ready at ')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the standalone ended (${code}) before it was ready:\n${output}`)));
  });
  const service = JSON.parse(readFileSync(path.join(dataDir, 'service.json'), 'utf8')) as ServiceFile;
  return {
    ...service,
    dataDir,
    child,
    output: () => output,
    openJournal() {
      return openJournal({ databaseUrl: runningPostgres(dataDir) ?? '' });
    },
    async stop(signal = 'SIGINT') {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill(signal);
        await ended;
      }
      folder?.remove();
      return child.exitCode;
    },
  };
}
