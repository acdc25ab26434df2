import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { printTable } from '@paper/bench';
import { parseOperatorTokens } from '@paper/http';
import { freePort } from '@paper/runtime';
import { untilServing } from '@paper/supervisor';
import { runOrThrow } from './command.ts';
import { completedVariables, readComposeFile } from './compose-file.ts';
import { tradeThrough } from './trade.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Builds the images and starts the set with Docker, trades, and removes everything except the images. */
export async function runWithDocker(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-images-'));
  const port = await freePort();
  const secrets = path.join(folder, 'secrets');
  await runOrThrow(['sh', path.join(root, 'infra/secrets/make.sh'), secrets]);
  const [operator] = parseOperatorTokens(readFileSync(path.join(secrets, 'operator-tokens'), 'utf8').trim());
  const given = completedVariables(root, () => randomBytes(32).toString('hex'));
  const variables = {
    ...given,
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    SECRETS_DIR: secrets,
  };
  const token = operator?.token ?? '';
  const envFile = path.join(folder, 'env');
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(envFile, lines.join(''), { mode: 0o600 });
  const compose = (...args: readonly string[]): Promise<string> =>
    runOrThrow(['docker', 'compose', '--env-file', envFile, '--project-name', `paper-images-${process.pid}`, ...args], {
      cwd: root,
    });
  try {
    const begunMs = performance.now();
    await compose('--profile', '*', 'build');
    const builtMs = performance.now();
    await compose('up', '--wait');
    const startedMs = performance.now();
    const baseUrl = `http://localhost:${port}`;
    await untilServing(baseUrl, token);
    const { answered, orderMs } = await tradeThrough(baseUrl, token);
    const backup = await compose('run', '--rm', 'backup');
    await printSizes();
    console.log(
      `\nBuilt in ${((builtMs - begunMs) / 1000).toFixed(0)} s, and all healthy ${((startedMs - builtMs) / 1000).toFixed(0)} s later.`,
    );
    console.log(`An order through the front door was filled in ${orderMs.toFixed(0)} ms.`);
    console.log(`Behind it answered ${answered.join(', ')}.`);
    console.log(backup.split('\n')[0]);
    return 0;
  } finally {
    await compose('--profile', '*', 'down', '--volumes').catch((error: unknown) => console.error(error));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function printSizes(): Promise<void> {
  const row = printTable(['image'], ['MB']);
  for (const image of new Set(Object.values(readComposeFile(root).services).map((service) => service.image))) {
    const bytes = Number(await runOrThrow(['docker', 'image', 'inspect', '--format', '{{.Size}}', image]));
    row(image, (bytes / 1e6).toFixed(0));
  }
}
