import { Command } from 'commander';
import cliProgress from 'cli-progress';
import type { BatchCommandBody } from '@paper/contracts/operator';
import type { BatchResult } from 'paper-trading-client';
import { createOperatorClient, findService } from '@paper/importers';
import type { Import, ImportReport, OperatorClient } from '@paper/importers';
import { escapeText, print, printError } from '@paper/runtime';
import { orExitCode2 } from './exit-code.ts';

interface Options {
  readonly format: string;
  readonly url?: string;
  readonly token?: string;
}

type Work<F extends string> = (source: Import, client: OperatorClient, format: F) => Promise<ImportReport>;

/**
 * Reads the shared options, runs `work` and prints its report. Exit code 1 when the report has failures. `formats`: the
 * file formats of the command.
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
    const client = createOperatorClient(connection);
    const { baseUrl } = connection;
    const source: Import = {
      baseUrl,
      file,
      onFault: (line) => printError(escapeText(line)),
      run: (commands) => runShown(client, commands),
    };
    const { failed, text } = await work(source, client, format);
    print(text);
    if (failed > 0) process.exitCode = 1;
  });
}

/** Creates a command for a running service, with the options that select the service. */
export function operatorProgram(name: string, about: string): Command {
  return new Command(name)
    .description(about)
    .option('--url <url>', 'the address of the service (default: the one that DATA_DIR/service.json names)')
    .option('--token <token>', "an operator's token (default: likewise)");
}

/** Sends the commands, with a progress bar on a terminal. */
async function runShown(
  client: OperatorClient,
  commands: readonly BatchCommandBody[],
): Promise<readonly BatchResult[]> {
  if (!process.stderr.isTTY) return client.run(commands, () => undefined);
  const bar = new cliProgress.SingleBar({ stream: process.stderr, clearOnComplete: true }, cliProgress.Presets.legacy);
  bar.start(commands.length, 0);
  try {
    return await client.run(commands, (done) => bar.update(done));
  } finally {
    bar.stop();
  }
}
