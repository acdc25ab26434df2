import { appSettings, startServers } from '@paper/http';
import { ConfigError, keepTryingTo, runService } from '@paper/runtime';
import type { ServiceProcess } from '@paper/runtime';
import type { z } from 'zod';
import { assertWhole, portalSecrets, portalServiceSettings } from './base/config.ts';
import { createFirstReads } from './pages/first-reads.ts';
import { createPages } from './pages/pages.ts';
import { createPortal } from './portal.ts';

/** Serves the pages, signs people in, and forwards their calls to the API. Any number of these processes may run. */
async function start(config: z.output<typeof portalServiceSettings>, running: ServiceProcess): Promise<void> {
  assertWhole(config);
  const secrets = portalSecrets(config);
  if (secrets === null) throw new ConfigError('PORTAL_SECRET or PORTAL_SECRET_FILE must be set.');
  const pages = await createPages(createFirstReads(() => config.API_URL));
  const open = () =>
    createPortal({
      connectionString: config.DATABASE_URL,
      config,
      operatorToken: config.PORTAL_TOKEN,
      secrets,
      ...appSettings(config, running),
      relaySecret: null,
      pages,
    });
  const portal = await keepTryingTo('open the portal', open, running);
  await running.teardown.add('portal', () => portal.stop());
  const addresses = await startServers(portal.listener, config, running, [portal.readiness]);
  portal.start({ apiUrl: config.API_URL, publicUrl: `http://localhost:${new URL(addresses.url).port}` });
  running.listening(addresses);
}

await runService({ name: 'portal', schema: portalServiceSettings, start });
