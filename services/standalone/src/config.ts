import { resolve } from 'node:path';
import { ConfigError, readConfig, setting } from '@paper/service-kit';
import { z } from 'zod';

const RATE_LIMITS = 'must be on, off, or commands/reads a second, such as 100/200';

const schema = z.object({
  PORT: setting.port.default(4000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((path) => resolve(path)),
  /** A Postgres of one's own, in place of the embedded one. */
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgresql://')
    .optional(),
  DEMO: setting.onOff.default(true),
  HOUSE_BOTS: setting.onOff.default(true),
  /** Markets that the house trades, in place of the demo's. */
  HOUSE_MARKETS: setting.list.optional(),
  /** Dollars. */
  STARTING_BALANCE: setting.wholeNumber(1, 10_000_000).default(10_000),
  COMPLIANCE_MODE: z.enum(['paper', 'kyc'], 'must be paper or kyc').default('paper'),
  /** Structured lines go to standard error; by default only what somebody should look at. */
  LOG_LEVEL: setting.logLevel.default('warn'),
  RATE_LIMITS: z
    .string()
    .regex(/^(on|off|[1-9]\d{0,6}\/[1-9]\d{0,6})$/, RATE_LIMITS)
    .default('on')
    .transform((text) => {
      if (text === 'off') return null;
      const [commandsPerSecond, readsPerSecond] = text.split('/').map(Number);
      return commandsPerSecond === undefined || readsPerSecond === undefined
        ? {}
        : { commandsPerSecond, readsPerSecond };
    }),
  OPERATOR_TOKENS: setting.operatorTokens.optional(),
  /** Of /metrics, /health/live and /health/ready; 0 picks a free one. */
  METRICS_PORT: setting.port.default(0),
  TRUSTED_PROXIES: setting.list.default([]),
});

/** The standalone's settings, by the names of their variables. */
export type StandaloneConfig = z.output<typeof schema>;

/**
 * Reads the settings from the environment, and over them from options: `--data-dir ./here` and `--data-dir=./here`
 * are DATA_DIR.
 *
 * @throws ConfigError naming every setting that is wrong or unknown.
 */
export function readStandaloneConfig(env: NodeJS.ProcessEnv, options: readonly string[]): StandaloneConfig {
  return readConfig(schema, { ...env, ...fromOptions(options) });
}

function fromOptions(options: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  const known = Object.keys(schema.shape);
  const rest = [...options];
  for (let option = rest.shift(); option !== undefined; option = rest.shift()) {
    const [, flag = '', inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(option) ?? [];
    const name = flag.toUpperCase().replaceAll('-', '_');
    if (!known.includes(name)) {
      const flags = known.map((each) => `--${each.toLowerCase().replaceAll('_', '-')}`);
      throw new ConfigError(`${option} is not an option. There are: ${flags.join(', ')}`);
    }
    const value = inline ?? rest.shift();
    if (value === undefined) throw new ConfigError(`${option} needs a value.`);
    given[name] = value;
  }
  return given;
}
