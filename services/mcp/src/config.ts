import { httpSettings } from '@paper/http';
import { configuredSecrets, described, processSettings, setting } from '@paper/runtime';
import { z } from 'zod';

/** Settings of the MCP server that the standalone shares, by the names of their variables. */
export const mcpSettings = {
  MCP_SECRET: described(
    z.string().optional(),
    'signs orders that agents prepare, the same in all processes; two during a change, the newer first',
    'made once',
  ),
  MCP_HOSTS: described(setting.list.default([]), 'further host names by which agents reach /mcp, comma-separated'),
};

/** The settings of the MCP server as a separate service. */
export const mcpServiceSettings = z.object({
  ...processSettings,
  PORT: httpSettings.PORT,
  RATE_LIMITS: httpSettings.RATE_LIMITS,
  TRUSTED_PROXIES: httpSettings.TRUSTED_PROXIES,
  CONNECTIONS_MAX: httpSettings.CONNECTIONS_MAX,
  ACCESS_LOG: httpSettings.ACCESS_LOG,
  API_URL: described(setting.siteUrl, 'the address of the API: the front door', 'needed'),
  PUBLIC_URL: described(
    setting.siteUrl.optional(),
    'the address that people use; its host name is one that agents may use',
    'localhost',
  ),
  ...mcpSettings,
});

/**
 * The secrets that sign prepared orders, the newest first; null if none is set.
 * @throws ConfigError when a secret is too short.
 */
export function mcpSecrets({
  MCP_SECRET: text,
}: Pick<z.output<typeof mcpServiceSettings>, 'MCP_SECRET'>): readonly string[] | null {
  return configuredSecrets('MCP_SECRET', text);
}
