import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

/** Names of fields that may hold a secret, at the top of a log line or one or two levels below. */
const SECRETS = ['authorization', 'x-api-key', 'cookie', 'set-cookie', 'rawKey', 'apiKey', 'token', 'password'];

/**
 * Creates a logger of structured JSON lines to standard output, or to `destination`, with the time by ISO 8601 and the
 * level's name. `level` is LOG_LEVEL; `name` is the service. Values under a secret's name are redacted; requests are
 * logged without headers and bodies anyway.
 */
export function createLogger(
  settings: { readonly name: string; readonly level: string },
  destination?: DestinationStream,
): Logger {
  const options = {
    name: settings.name,
    level: settings.level,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { err: describeError },
    redact: {
      paths: ['', '*.', '*.*.'].flatMap((prefix) =>
        SECRETS.map((name) => (prefix === '' ? `["${name}"]` : `${prefix.slice(0, -1)}["${name}"]`)),
      ),
      censor: '[secret]',
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * Picks the fields of an error that a log needs. Pino would copy every property, and some libraries attach their whole
 * client to an error, with settings, statements and the secret that cancels its queries.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  return { name, message, code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

export type { Logger } from 'pino';
