import type { NewAccount } from '@paper/contracts/operator';
import { report, runCommand, showWhile } from '@paper/commands';
import { createOperatorClient } from '@paper/importers';
import type { Api } from 'paper-trading-client';
import { connectionOf } from '../operator-command.ts';
import type { ServiceOptions } from '../operator-command.ts';

type Permissions = NonNullable<NewAccount['permissions']>;

interface Options extends ServiceOptions {
  readonly keyOnly?: true;
  readonly permissions?: string;
  readonly startingBalance?: string;
}

/** `npm run open-account -- NAME` opens a primary account of a running service, and prints its key. */
await runCommand<Options>('open-account', async ({ args: [displayName = ''], options }) => {
  const connection = connectionOf(options);
  const client = createOperatorClient(connection);
  const opening = client.openAccount({
    displayName: String(displayName),
    ...(options.startingBalance === undefined ? {} : { startingBalance: dollarsOf(options.startingBalance) }),
    // Unknown permissions are passed on, since the service's refusal names them.
    ...(options.permissions === undefined ? {} : { permissions: options.permissions.split(',') as Permissions }),
  });
  const opened = await showWhile(`Waiting for ${connection.baseUrl}`, () => opening);
  const needsApproval = (await client.complianceMode()) === 'kyc';
  const key = opened.apiKey.rawKey ?? '';
  report(options, opened, options.keyOnly === true ? key : textOf(opened, connection.baseUrl, needsApproval));
});

function dollarsOf(text: string): number {
  const dollars = Number(text);
  if (text.trim() === '' || !Number.isFinite(dollars)) {
    throw new Error(`--starting-balance must be a number of dollars, such as 5000; it is "${text}".`);
  }
  return dollars;
}

function textOf({ account, apiKey }: Api.OpenedAccount, baseUrl: string, needsApproval: boolean): string {
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
