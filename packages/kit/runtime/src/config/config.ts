import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { withoutFormerNames } from './former-names.ts';
import { withSecretFiles } from './secret-files.ts';

/** Reads the variables of the schema. An empty one counts as absent; a secret may be in the file NAME_FILE. */
export function readConfig<S extends z.ZodObject>(schema: S, env: NodeJS.ProcessEnv = process.env): z.output<S> {
  const renamed = 'JOURNAL_URL' in schema.shape ? withoutFormerNames(env) : env;
  const current = withSecretFiles(renamed, Object.keys(schema.shape));
  const present = Object.fromEntries(
    Object.entries(current).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`The settings in the environment are not valid:\n${lines.join('\n')}`);
}

/** Masks secrets (settings with TOKEN, KEY, SECRET or PASSWORD in the name) and passwords in URLs. */
export function maskConfig(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      if (/TOKEN|KEY|SECRET|PASSWORD/i.test(name)) return [name, value === undefined ? undefined : '[secret]'];
      return [name, typeof value === 'string' ? maskPasswords(value) : value];
    }),
  );
}

/** Matches up to the last @: an unencoded @ in a password must not show the rest of it. */
const PASSWORD_BEFORE_HOST = /^(\w[\w+.-]*:\/\/[^:@/]*):.*@/s;
const PASSWORD_IN_QUERY = /([?&][^=&]*password[^=&]*=)[^&]*/gi;

function maskPasswords(url: string): string {
  return url.replace(PASSWORD_BEFORE_HOST, '$1:[secret]@').replace(PASSWORD_IN_QUERY, '$1[secret]');
}

/** Accepts only decimal digits: `z.coerce.number()` would also accept `""`, `0x10` and `1e2`. */
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

export const setting = {
  wholeNumber,
  port: wholeNumber(0, 65_535),
  onOff: z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on'),
  acceptClock: z.enum(['off', 'journal', 'on'], 'must be off, journal or on'),
  logLevel: z.enum(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'must be trace, debug, info, warn, error, fatal or silent',
  ),
  /** `a,b,c`: addresses or subnets whose X-Forwarded-For is trusted. */
  list: z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
  startingBalance: wholeNumber(1, 10_000_000),
  /** The number of events from one snapshot of the exchange to the next; 0: none is taken. */
  snapshotEvery: wholeNumber(0, 1_000_000_000),
  databaseUrl: z
    .string('must be set: postgresql://user:password@host:5432/database')
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgresql://'),
  redisUrl: z.string('must be set: redis://host:6379').regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://'),
  siteUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address, such as https://paper.example' })
    .refine((text) => {
      if (!URL.canParse(text)) return false;
      const url = new URL(text);
      return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
    }, 'must have no path, no query and no user, such as https://paper.example'),
  path: z.string().transform((path) => resolve(path)),
  shard: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be lower-case letters, digits and dashes, such as main'),
};

/** Describes a setting for docs and help. `unset`: what applies if it has neither a value nor a default. */
export const described = <S extends z.ZodType>(schema: S, description: string, unset = 'none'): S =>
  schema.meta({ description, unset });

/** Settings of every service process: its addresses and its log. */
export const processSettings = {
  HOST: described(z.string().default('127.0.0.1'), 'the address that it listens at'),
  METRICS_PORT: described(setting.port.default(0), '/metrics, /health/live, /health/ready; 0 picks a free port'),
  LOG_LEVEL: described(setting.logLevel.default('info'), 'trace, debug, info, warn, error, fatal or silent'),
};

/** The settings of the database of events and projections; JOURNAL_URL belongs to the journal's settings. */
export const storeSettings = {
  DATABASE_URL: described(
    setting.databaseUrl,
    'the Postgres of the read models, and of the journal unless JOURNAL_URL is set',
    'needed',
  ),
  SHARD: described(setting.shard.default('main'), 'which journal; a shard has a Postgres of its own'),
};
