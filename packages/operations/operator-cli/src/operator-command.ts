import type { BatchCommandBody } from '@paper/contracts/operator';
import { report, runCommand, showProgress, showWhile } from '@paper/commands';
import type { BatchResult } from 'paper-trading-client';
import { createOperatorClient, findService } from '@paper/importers';
import type { Connection, Import, ImportReport, OperatorClient } from '@paper/importers';
import { escapeText, printError, withSecretFiles } from '@paper/runtime';

/** The options that name a running service and an operator of it. */
export interface ServiceOptions {
  readonly json?: true;
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
}

type Work<F extends string> = (source: Import, client: OperatorClient, format: F) => Promise<ImportReport>;

/** Runs a declared command that imports a file. Exit code 1 when its report has failures. */
export async function runImport<F extends string>(name: string, work: Work<F>): Promise<void> {
  await runCommand<ServiceOptions & { readonly format: F }>(name, async ({ args: [file = ''], options }) => {
    const connection = connectionOf(options);
    const { baseUrl } = connection;
    const client = createOperatorClient(connection);
    const failures: { readonly item: string; readonly reason: string }[] = [];
    const source: Import = {
      baseUrl,
      file: String(file),
      onFault(item, reason) {
        failures.push({ item, reason });
        printError(escapeText(`${item}: ${reason}`));
      },
      run: (commands) => runShown(client, commands),
    };
    // Reading all markets takes many requests, so this is shown.
    const markets = () => showWhile(`Reading the markets of ${baseUrl}`, () => client.markets());
    const { facts, failed, text } = await work(source, { ...client, markets }, options.format);
    report(options, { file, service: baseUrl, ...facts, failures }, text);
    return failed === 0;
  });
}

/** The given service, with the token of the options or of OPERATOR_TOKEN. Default: the service that runs on DATA_DIR. */
export function connectionOf({ token, tokenFile, url }: ServiceOptions): Connection {
  const given = tokenFile === undefined ? {} : { OPERATOR_TOKEN: '', OPERATOR_TOKEN_FILE: tokenFile };
  const found =
    token ?? (withSecretFiles({ ...process.env, ...given }, ['OPERATOR_TOKEN'])['OPERATOR_TOKEN'] || undefined);
  return findService({ ...(url === undefined ? {} : { url }), ...(found === undefined ? {} : { token: found }) });
}

async function runShown(
  client: OperatorClient,
  commands: readonly BatchCommandBody[],
): Promise<readonly BatchResult[]> {
  const progress = showProgress('commands');
  progress.show('Sending', 0, commands.length);
  try {
    return await client.run(commands, (done) => progress.show('Sending', done, commands.length));
  } finally {
    progress.clear();
  }
}
