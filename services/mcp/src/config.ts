import { serverSettings } from '@paper/http';
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

export const mcpServiceSettings = z.object({
  ...processSettings,
  ...serverSettings,
  API_URL: described(setting.siteUrl, 'the address of the API: the front door', 'needed'),
  PUBLIC_URL: described(
    setting.siteUrl.optional(),
    'the address that people use; its host name is one that agents may use',
    'localhost',
  ),
  ...mcpSettings,
});

type Config = z.output<typeof mcpServiceSettings>;

/** The secrets that sign prepared orders, the newest first; null without any. @throws ConfigError for a short one. */
export function mcpSecrets({ MCP_SECRET: text }: Pick<Config, 'MCP_SECRET'>): readonly string[] | null {
  return configuredSecrets('MCP_SECRET', text);
}
