import { z } from 'zod';
import { parseOperatorTokens } from './operators.ts';

/** The environment is not as the service needs it. The message names every variable that is wrong, and no value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads what `schema` (an object of variables by name) asks for. An empty variable counts as absent. */
export function readConfig<S extends z.ZodObject>(schema: S, env: NodeJS.ProcessEnv = process.env): z.output<S> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`The settings in the environment are not valid:\n${lines.join('\n')}`);
}

/** The settings as they may be shown: secrets by name (TOKEN, KEY, SECRET, PASSWORD) and passwords in URLs are masked. */
export function printConfig(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      if (/TOKEN|KEY|SECRET|PASSWORD/i.test(name)) return [name, value === undefined ? undefined : '[secret]'];
      return [
        name,
        typeof value === 'string' ? value.replace(/^(\w[\w+.-]*:\/\/[^:@/]*):[^@/]*@/, '$1:[secret]@') : value,
      ];
    }),
  );
}

/** Decimal digits only: `z.coerce.number()` would take `""`, `0x10` and `1e2`. */
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

/** The kinds of setting that the services share, to build a schema from. */
export const setting = {
  wholeNumber,
  port: wholeNumber(0, 65_535),
  onOff: z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on'),
  logLevel: z.enum(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'must be trace, debug, info, warn, error, fatal or silent',
  ),
  /** `a,b,c`: addresses or subnets whose X-Forwarded-For is believed. */
  list: z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
  operatorTokens: z.string().transform((text, context) => {
    try {
      return parseOperatorTokens(text);
    } catch (error) {
      context.issues.push({
        code: 'custom',
        input: '',
        message: error instanceof Error ? error.message : 'is not valid',
      });
      return z.NEVER;
    }
  }),
};
