import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

/** Names of fields that may hold a secret, at the top of a log line or one or two levels below. */
const SECRETS = ['authorization', 'x-api-key', 'cookie', 'set-cookie', 'rawKey', 'apiKey', 'token', 'password'];

/** Creates a logger of JSON lines to standard output or `destination`. Values under a secret's name are redacted. */
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

/** Picks the fields of an error that a log needs: some libraries attach their whole client, with secrets. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  return { name, message, code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

export type { Logger } from 'pino';
