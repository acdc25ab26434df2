import { COMPLIANCE_MODES } from '@paper/contracts/accounts';
import { described, setting } from '@paper/runtime';
import type { ServiceProcess } from '@paper/runtime';
import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { parseOperatorTokens } from './operators.ts';
import { createRateLimiter } from './rate-limit.ts';
import type { RateLimitSettings } from './rate-limit.ts';

const RATE_LIMITS = 'must be on, off, or commands/reads a second, such as 100/200';

/** Whether only this machine can reach a listener at this address or name. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || host.startsWith('127.');
}

export const apiSetting = {
  operatorTokens: z.string().transform((text, context) => {
    try {
      return parseOperatorTokens(text);
    } catch (error) {
      context.issues.push({ code: 'custom', input: '', message: (error as Error).message });
      return z.NEVER;
    }
  }),
  /** The rate limits. Null switches them off; `{}` means the default limits. */
  rateLimits: z
    .string()
    .regex(/^(on|off|[1-9]\d{0,6}\/[1-9]\d{0,6})$/, RATE_LIMITS)
    .transform((text) => {
      if (text === 'off') return null;
      const [commandsPerSecond, readsPerSecond] = text.split('/').map(Number);
      return commandsPerSecond === undefined || readsPerSecond === undefined
        ? {}
        : { commandsPerSecond, readsPerSecond };
    }),
  complianceMode: z.enum(COMPLIANCE_MODES, 'must be paper or kyc'),
};

export const httpSettings = {
  PORT: described(setting.port, 'where it listens; 0 picks a free port', 'needed'),
  RATE_LIMITS: described(
    apiSetting.rateLimits.prefault('on'),
    'off, or commands/reads a second of a key, such as 100/200',
  ),
  OPERATOR_TOKENS: described(apiSetting.operatorTokens.optional(), 'name:token[:scope+scope],…'),
  TRUSTED_PROXIES: described(setting.list.default([]), 'addresses whose X-Forwarded-For is trusted'),
  CONNECTIONS_MAX: described(
    // The process needs a few more open files than this number (`ulimit -n`).
    setting.wholeNumber(1, 1_000_000).default(LIMITS.connections),
    'open at once; more are refused',
  ),
  ACCESS_LOG: described(setting.onOff.default(false), 'on: a line of the log for each request, at any LOG_LEVEL'),
};

const { OPERATOR_TOKENS: _operators, ...rest } = httpSettings;

/** The settings of a service without endpoints for operators. */
export const serverSettings = rest;

export function appSettings(
  config: {
    readonly [Name in 'ACCESS_LOG' | 'RATE_LIMITS' | 'TRUSTED_PROXIES']: z.output<(typeof httpSettings)[Name]>;
  },
  { logger, metrics }: Pick<ServiceProcess, 'logger' | 'metrics'>,
  limits: Pick<RateLimitSettings, 'readProcesses'> = {},
) {
  return {
    accessLog: config.ACCESS_LOG,
    logger,
    metrics,
    rateLimiter: config.RATE_LIMITS === null ? null : createRateLimiter({ ...config.RATE_LIMITS, ...limits }),
    trustedProxies: config.TRUSTED_PROXIES,
  };
}
