import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { interruption, runCommand } from '@paper/commands';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ConfigError, createLogger, createMetrics, maskConfig, print, readConfig, setting } from '@paper/runtime';
import { z } from 'zod';
import { mcpSecrets, mcpSettings } from '../config.ts';
import { Sessions } from '../sessions.ts';
import { storedMcpSecrets } from '../stored-secret.ts';
import { ToolError } from '../tool-error.ts';
import { ToolServers } from '../tool-server.ts';

/**
 * `npm run mcp` serves the Model Context Protocol over standard input and output, for agents on this machine, until its
 * input ends. Standard output is only for the protocol, so the log goes to standard error.
 */
const settings = z.object({
  /** Default: the address of the service that runs on DATA_DIR. */
  API_URL: setting.siteUrl.optional(),
  /** Default: the key of that service's demo account. */
  API_KEY: z.string().optional(),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((folder) => path.resolve(folder)),
  MCP_SECRET: mcpSettings.MCP_SECRET,
  LOG_LEVEL: setting.logLevel.default('warn'),
});

type Config = z.output<typeof settings>;

await runCommand<{ readonly printConfig?: true; readonly url?: string }>('mcp', ({ options }) => {
  if (options.url !== undefined) process.env['API_URL'] = options.url;
  const config = readConfig(settings);
  if (options.printConfig === true) print(JSON.stringify(maskConfig(config), null, 2));
  else serve(config);
  return Promise.resolve();
});

/** The process ends when its input does, or when it is asked to stop. */
function serve(config: Config): void {
  const { apiUrl, key } = whereAndWho(config);
  const logger = createLogger({ name: 'mcp', level: config.LOG_LEVEL }, process.stderr);
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const secrets = mcpSecrets(config) ?? storedMcpSecrets(config.DATA_DIR);
  const servers = new ToolServers({ secrets, logger, metrics: createMetrics() });
  const sessions = new Sessions(() => apiUrl);
  const find = async () => {
    const session = await sessions.find(key);
    if (session === null) throw new ToolError('not_authenticated', `The API at ${apiUrl} does not know this key`);
    return session;
  };
  const served = serveStdio(() => servers.create(find), {
    maxSubscriptions: 0,
    onerror: (error) => logger.warn({ err: error }, 'a message was refused'),
  });
  interruption().addEventListener('abort', () => void served.close());
}

/** The address and the key to use. Throws ConfigError when one is neither set nor in service.json. */
function whereAndWho(config: Config): { readonly apiUrl: string; readonly key: string } {
  const running = runningService(config.DATA_DIR);
  const apiUrl = config.API_URL ?? running.baseUrl;
  if (apiUrl === undefined) {
    throw new ConfigError(`No service runs on ${config.DATA_DIR}: start it, or set DATA_DIR or API_URL.`);
  }
  // The demo's key is valid only at the service that issued it.
  const demoKey = config.API_URL === undefined ? running.demo?.apiKey : undefined;
  const found = config.API_KEY ?? demoKey;
  if (found === undefined) throw new ConfigError('API_KEY or API_KEY_FILE must be set: the key to act with.');
  return { apiUrl, key: found };
}

type RunningService = Readonly<{ baseUrl?: string; demo?: { readonly apiKey: string } | null }>;

function runningService(dataDir: string): RunningService {
  const file = path.join(dataDir, 'service.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RunningService) : {};
}
