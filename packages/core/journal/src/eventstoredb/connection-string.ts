import { createRequire } from 'node:module';
import type * as library from '@eventstore/db-client';
import { z } from 'zod';

// The client, a fifth of a service's code, is loaded only where an EventStoreDB is named; settings are checked at once.
const require = createRequire(import.meta.url);

/**
 * How soon a silent connection is found to be dead. With less than ten seconds the client would write a warning to the
 * console. Requests have deadlines of their own, so only a quiet subscription waits for this.
 */
const KEEP_ALIVE = { keepAliveInterval: 10_000, keepAliveTimeout: 3_000 };

/** The settings that the client supports. It logs all others, with the password, so they are never passed on. */
const SETTINGS = [
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'throwOnAppendFailure',
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
];

/**
 * The client of a connection string, `esdb://user:password@host:2113?tls=true&…` or `esdb+discover://…`, with the keep
 * alive settings that it leaves open. It connects when it is first used.
 *
 * @throws Error that says what is wrong, and never shows the password.
 */
export function createClient(connectionString: string): library.EventStoreDBClient {
  try {
    const trimmed = connectionString.trim();
    checkSettings(trimmed);
    const { EventStoreDBClient } = require('@eventstore/db-client') as typeof library;
    return EventStoreDBClient.connectionString(withKeepAlive(trimmed));
  } catch (error) {
    // The client's error has the whole string in a property, so it is no `cause`: a log would print it.
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the connection string of EventStoreDB cannot be used: ${withoutPassword(reason, connectionString)} ` +
        'Expected is esdb://user:password@host:2113, or esdb+discover://…, with ?tls=false where there is no TLS.',
    );
  }
}

/** The setting of a service that names its EventStoreDB: a connection string that the client takes. */
export const eventStoreUrlSetting = z.string().superRefine((connectionString, context) => {
  try {
    createClient(connectionString);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'cannot be used' });
  }
});

/** The settings of a service that reads or writes the journal, by the names of their variables. */
export const journalSettings = {
  JOURNAL_URL: eventStoreUrlSetting.optional().meta({
    description: 'the journal in EventStoreDB: esdb://host:2113?tls=false',
    unset: 'in Postgres',
  }),
};

/** Adds the keep alive settings that the connection string omits. */
export function withKeepAlive(connectionString: string): string {
  const given = settingsOf(connectionString).map(([key]) => flat(key));
  let result = connectionString;
  for (const [key, ms] of Object.entries(KEEP_ALIVE)) {
    if (!given.includes(flat(key))) result += `${result.includes('?') ? '&' : '?'}${key}=${ms}`;
  }
  return result;
}

function checkSettings(connectionString: string): void {
  for (const [key, value] of settingsOf(connectionString)) {
    if (value === '') throw new Error(`"${key}" has no value.`);
    if (SETTINGS.some((known) => flat(known) === flat(key))) continue;
    throw new Error(`"${key}" is none of its settings, which are ${SETTINGS.join(', ')}.`);
  }
}

/** Keys and values behind the first question mark; a password has none, as it is percent-encoded. */
function settingsOf(connectionString: string): (readonly [key: string, value: string])[] {
  const [, settings = ''] = connectionString.split('?');
  if (settings === '') return [];
  return settings.split('&').map((pair) => {
    const [key = '', value = ''] = pair.split('=');
    return [key, value];
  });
}

/** The client accepts its keys in any letter case, and with _ and - in them. */
function flat(key: string): string {
  return key.toLowerCase().replace(/[_-]/g, '');
}

function withoutPassword(message: string, connectionString: string): string {
  const password = /\/\/[^:/?]*:(.*)@/.exec(connectionString)?.[1];
  return password === undefined || password === '' ? message : message.replaceAll(password, '***');
}
