import { httpSettings } from '@paper/http';
import { configuredSecrets, processSettings, setting } from '@paper/runtime';
import { z } from 'zod';

/** Settings of the agents' door that the standalone shares, by the names of their variables. */
export const mcpSettings = {
  /** Signs prepared orders; the same in all processes. Two, with a comma between: the first signs, both are accepted. */
  MCP_SECRET: z.string().optional(),
  /** Host names that clients use besides those of this machine and of PUBLIC_URL. */
  MCP_HOSTS: setting.list.default([]),
};

/** The settings of the agents' door as a service of its own. */
export const mcpServiceSettings = z.object({
  ...processSettings,
  PORT: httpSettings.PORT,
  RATE_LIMITS: httpSettings.RATE_LIMITS,
  TRUSTED_PROXIES: httpSettings.TRUSTED_PROXIES,
  CONNECTIONS_MAX: httpSettings.CONNECTIONS_MAX,
  /** The address at which it reaches the API. */
  API_URL: setting.siteUrl,
  /** The address that people use; its host name is one that agents may use. */
  PUBLIC_URL: setting.siteUrl.optional(),
  ...mcpSettings,
});

/**
 * The secrets that sign prepared orders, the newest first; null where none is set.
 *
 * @throws ConfigError where a secret is too short.
 */
export function mcpSecrets({
  MCP_SECRET: text,
}: Pick<z.output<typeof mcpServiceSettings>, 'MCP_SECRET'>): readonly string[] | null {
  return configuredSecrets('MCP_SECRET', text);
}
