import { EventStoreDBClient } from '@eventstore/db-client';

/**
 * How soon a connection that says nothing is found to be dead. Less than the ten seconds would make the client write a
 * warning to the console; what asks has deadlines of its own, so only a quiet subscription waits for this.
 */
const KEEP_ALIVE = { keepAliveInterval: '10000', keepAliveTimeout: '3000' };

/**
 * The client of a connection string, `esdb://user:password@host:2113?tls=true&…` or `esdb+discover://…`, with the keep
 * alive settings that it leaves open. It connects when it is first used.
 *
 * @throws Error that says what is wrong and never shows the password.
 */
export function createClient(connectionString: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(withKeepAlive(connectionString.trim()));
  } catch (error) {
    // The client's error carries the whole string in a property, so it is no `cause`: a log would print it.
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the connection string of EventStoreDB cannot be used: ${withoutPassword(reason, connectionString)}; ` +
        'expected is esdb://user:password@host:2113, or esdb+discover://…, with ?tls=false where there is no TLS',
    );
  }
}

function withKeepAlive(connectionString: string): string {
  const base = connectionString.replace(/\/+$/, '');
  const given = base.slice(base.indexOf('?') + 1).toLowerCase();
  const missing = Object.entries(KEEP_ALIVE)
    .filter(([key]) => !given.includes(`${key.toLowerCase()}=`))
    .map(([key, value]) => `${key}=${value}`);
  if (missing.length === 0) return base;
  return `${base}${base.includes('?') ? '&' : '?'}${missing.join('&')}`;
}

function withoutPassword(message: string, connectionString: string): string {
  const password = /\/\/[^:/?]*:(.*)@/.exec(connectionString)?.[1];
  return password === undefined || password === '' ? message : message.replaceAll(password, '***');
}
