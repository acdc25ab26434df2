import { createRequire } from 'node:module';
import type * as library from '@eventstore/db-client';
import { z } from 'zod';

// The client, a fifth of a service's code, is loaded only when the settings name an EventStoreDB. Settings are checked
// synchronously, so this is a `require`.
const require = createRequire(import.meta.url);

/** When a dead silent connection is found; below ten seconds the client would warn on the console. */
const KEEP_ALIVE = { keepAliveInterval: 10_000, keepAliveTimeout: 3_000 };

/** The client's settings. It logs all others together with the password, so they are never passed on. */
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
 * Creates the client for `esdb://user:password@host:2113?tls=true&…` or `esdb+discover://…`, with our keep-alive as
 * default. It connects when it is first used.
 * @throws Error that says what is wrong, and never shows the password.
 */
export function createClient(connectionString: string): library.EventStoreDBClient {
  try {
    const trimmed = connectionString.trim();
    checkSettings(trimmed);
    const { EventStoreDBClient } = require('@eventstore/db-client') as typeof library;
    return EventStoreDBClient.connectionString(withKeepAlive(trimmed));
  } catch (error) {
    // The client's error has the whole string in a property. It is not passed on as `cause`, since a log would print
    // it.
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the connection string of EventStoreDB cannot be used: ${withoutPassword(reason, connectionString)} ` +
        'Expected is esdb://user:password@host:2113, or esdb+discover://…, with ?tls=false where there is no TLS.',
    );
  }
}

/** The setting for a service's EventStoreDB: a connection string that the client accepts. */
export const eventStoreUrlSetting = z.string().superRefine((connectionString, context) => {
  try {
    createClient(connectionString);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'cannot be used' });
  }
});

/** The settings of a service that reads or writes the journal, by the names of their environment variables. */
export const journalSettings = {
  JOURNAL_URL: eventStoreUrlSetting.optional().meta({
    description: 'the journal in EventStoreDB: esdb://host:2113?tls=false',
    unset: 'in Postgres',
  }),
};

/** Adds the keep-alive settings that the connection string omits. */
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

/** The keys and values after the first question mark. A percent-encoded password contains none. */
function settingsOf(connectionString: string): (readonly [key: string, value: string])[] {
  const [, settings = ''] = connectionString.split('?');
  if (settings === '') return [];
  return settings.split('&').map((pair) => {
    const [key = '', value = ''] = pair.split('=');
    return [key, value];
  });
}

/** Normalizes a key: the client accepts keys in any letter case, and with _ and - in them. */
function flat(key: string): string {
  return key.toLowerCase().replace(/[_-]/g, '');
}

function withoutPassword(message: string, connectionString: string): string {
  const password = /\/\/[^:/?]*:(.*)@/.exec(connectionString)?.[1];
  return password === undefined || password === '' ? message : message.replaceAll(password, '***');
}
