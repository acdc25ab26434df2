import { type DestinationStream, type Logger, pino } from 'pino';

/** Names under which a secret may come by, at the top of a log line or one or two levels down. */
const SECRETS = ['authorization', 'x-api-key', 'cookie', 'set-cookie', 'rawKey', 'apiKey', 'token', 'password'];

/**
 * Structured lines of JSON to standard output, or to `destination`. `level` is LOG_LEVEL; `name` is the service.
 * Whatever is logged under a secret's name is redacted; requests are logged without headers and bodies anyway.
 */
export function createLogger(
  settings: { readonly name: string; readonly level: string },
  destination?: DestinationStream,
): Logger {
  const options = {
    name: settings.name,
    level: settings.level,
    redact: {
      paths: ['', '*.', '*.*.'].flatMap((prefix) =>
        SECRETS.map((name) => (prefix === '' ? `["${name}"]` : `${prefix.slice(0, -1)}["${name}"]`)),
      ),
      censor: '[secret]',
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

export type { Logger } from 'pino';
