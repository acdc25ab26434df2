import type { NewAccount } from '@paper/contracts/operator';
import { createOperatorClient, findService } from '@paper/importers';
import type { Api } from 'paper-trading-client';
import { print } from '@paper/runtime';
import { orExitCode2 } from '../exit-code.ts';
import { operatorProgram } from '../operator-command.ts';

type Permissions = NonNullable<NewAccount['permissions']>;

interface Options {
  readonly keyOnly?: true;
  readonly permissions?: string;
  readonly startingBalance?: string;
  readonly token?: string;
  readonly url?: string;
}

/** `npm run open-account -- NAME` opens a primary account of a running service, and prints its key. */
const program = operatorProgram('open-account', 'Open an account and print its key.')
  .argument('<name>', "the account's display name, 2 to 24 characters")
  .option('--starting-balance <dollars>', "what it starts with, 1 to 10000000 (default: the service's setting)")
  .option('--permissions <list>', 'what its key may do (default: view,trade,master,reconcile)')
  .option('--key-only', 'print nothing but the key, for scripts');
program.parse();
const [displayName = ''] = program.args;
const options = program.opts<Options>();

await orExitCode2(async () => {
  const connection = findService(options);
  const client = createOperatorClient(connection);
  const opened = await client.openAccount({
    displayName,
    ...(options.startingBalance === undefined ? {} : { startingBalance: dollarsOf(options.startingBalance) }),
    // Unknown permissions are passed on, since the service refuses them by name.
    ...(options.permissions === undefined ? {} : { permissions: options.permissions.split(',') as Permissions }),
  });
  const needsApproval = (await client.complianceMode()) === 'kyc';
  print(options.keyOnly === true ? (opened.apiKey.rawKey ?? '') : report(opened, connection.baseUrl, needsApproval));
});

function dollarsOf(text: string): number {
  const dollars = Number(text);
  if (text.trim() === '' || !Number.isFinite(dollars)) {
    throw new Error(`--starting-balance must be a number of dollars, such as 5000; it is "${text}".`);
  }
  return dollars;
}

function report({ account, apiKey }: Api.OpenedAccount, baseUrl: string, needsApproval: boolean): string {
  const balance = account.startingBalance.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
  const approval = [
    'Its orders are refused (kyc_required) until you approve it:',
    '',
    `  curl -s -X POST ${baseUrl}/api/operator/accounts/${account.id}/approve -H 'Authorization: Bearer OPERATOR_TOKEN'`,
    '',
  ];
  return [
    `Opened the account "${account.displayName}" at ${baseUrl} with ${balance}.`,
    '',
    `  Account  ${account.id}`,
    `  Key      ${apiKey.rawKey ?? ''}`,
    `  It may   ${apiKey.permissions.join(', ')}`,
    '',
    'The key is shown once: keep it. Should it be lost, issue another with POST /api/operator/accounts/{id}/keys.',
    '',
    ...(needsApproval ? approval : []),
    `Next, see what it has; every endpoint is described at ${baseUrl}/api/docs:`,
    '',
    `  curl -s ${baseUrl}/api/portfolio -H 'Authorization: Bearer ${apiKey.rawKey ?? ''}'`,
  ].join('\n');
}
