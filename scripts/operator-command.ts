import { Command } from 'commander';
import cliProgress from 'cli-progress';
import type { BatchCommandBody, BatchResultBody } from '@paper/contracts';
import { count, type Counts } from './forecastbench.ts';
import { createOperatorClient, findService, type OperatorClient } from './operator-client.ts';

interface Options {
  readonly format: string;
  readonly url?: string;
  readonly token?: string;
}

type Work<F extends string> = (
  file: string,
  client: OperatorClient,
  baseUrl: string,
  format: F,
) => Promise<{ readonly failed: number }>;

/**
 * Reads the options that these commands share, runs `work`, and ends with exit code 1 when it says that something
 * failed. `formats`: of the file, as the command knows them.
 */
export async function runOperatorCommand<const F extends string>(
  program: Command,
  formats: readonly F[],
  work: Work<F>,
): Promise<void> {
  program
    .argument('<file>', 'the file')
    .requiredOption('--format <name>', `the format of the file: ${formats.join(' or ')}`);
  program.parse();
  const options = program.opts<Options>();
  const [file = ''] = program.args;
  await orExitCode2(async () => {
    const format = formats.find((known) => known === options.format);
    if (format === undefined) throw new Error(`No such format: ${options.format}. Known: ${formats.join(', ')}.`);
    const connection = findService(options);
    const { failed } = await work(file, createOperatorClient(connection), connection.baseUrl, format);
    if (failed > 0) process.exitCode = 1;
  });
}

/** A command that works against a running service, with the options that say which. */
export function operatorProgram(name: string, about: string): Command {
  return new Command(name)
    .description(about)
    .option('--url <url>', 'the address of the service (default: the one that DATA_DIR/service.json names)')
    .option('--token <token>', "an operator's token (default: likewise)");
}

/** Where `work` throws, its message goes to standard error, and the exit code is 2. */
export async function orExitCode2(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}

/** Sends the commands, with a bar for a person who watches. */
export async function runShown(
  client: OperatorClient,
  commands: readonly BatchCommandBody[],
): Promise<BatchResultBody[]> {
  if (!process.stderr.isTTY) return client.run(commands, () => undefined);
  const bar = new cliProgress.SingleBar({ stream: process.stderr, clearOnComplete: true }, cliProgress.Presets.legacy);
  bar.start(commands.length, 0);
  try {
    return await client.run(commands, (done) => bar.update(done));
  } finally {
    bar.stop();
  }
}

/** What became of commands that each bring one market into a state. */
export interface MarketTally {
  readonly changed: number;
  /** In that state already when its command was carried out. */
  readonly unchanged: number;
  /** Refused with `keptCode`: in another state, and left there. */
  readonly kept: number;
  readonly failures: Counts;
}

/** Counts what came of such commands, and says each failure. */
export function tallyMarkets(
  ids: readonly (string | undefined)[],
  results: readonly BatchResultBody[],
  keptCode: string,
): MarketTally {
  let [changed, unchanged, kept] = [0, 0, 0];
  const failures = new Map<string, number>();
  for (const [index, result] of results.entries()) {
    const id = ids[index] ?? '';
    if (result.ok) {
      if (result.changed) changed += 1;
      else unchanged += 1;
    } else if (result.code === keptCode) kept += 1;
    else {
      count(failures, result.error);
      console.error(`${id}: ${result.error}`);
    }
  }
  return { changed, unchanged, kept, failures };
}

/** One line a count, with its reasons under it, the most frequent first. */
export function countLines(name: string, total: number, note = '', reasons: Counts = new Map()): string[] {
  const line = (label: string, value: number, text: string): string =>
    `  ${label.padEnd(10)}${String(value).padStart(6)}${text === '' ? '' : `  ${text}`}`;
  const sorted = [...reasons].sort(([, a], [, b]) => b - a);
  return [line(name, total, note), ...sorted.map(([reason, times]) => line('', times, reason))];
}

/** All of some counts together. */
export function sum(counts: Counts): number {
  return [...counts.values()].reduce((total, times) => total + times, 0);
}
