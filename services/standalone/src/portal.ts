import { appSettings } from '@paper/http';
import { configuredSecrets, randomSecret } from '@paper/runtime';
import { BackgroundPages, createFirstReads, createPages, createPortal, portalSecrets } from '@paper/portal';
import type { StandaloneConfig } from './config.ts';
import { portalOperator } from './operator-token.ts';
import type { SharedParts } from './read-side.ts';
import { storedPortalSecret } from './stored-secret.ts';

/** Opens the portal. By a shared secret the API counts the portal's calls by the addresses of its clients. */
export async function mountPortal({ databases, persist, running }: SharedParts, config: StandaloneConfig) {
  const { logger, teardown } = running;
  const operator = portalOperator();
  const relaySecret = randomSecret();
  let apiUrl = '';
  const pages = new BackgroundPages(() => createPages(createFirstReads(() => apiUrl)));
  const options = {
    connectionString: databases.portal,
    config,
    operatorToken: operator.token,
    // There are two secrets after an interrupted rotation.
    secrets: portalSecrets(config) ?? configuredSecrets('portal-secret', storedPortalSecret(config.DATA_DIR)) ?? [],
    ...appSettings(config, running),
    relaySecret,
    pages,
  };
  const portal = await persist(() => createPortal(options));
  await teardown.add('portal', () => portal.stop());
  return {
    handles: portal.handles,
    listener: portal.listener,
    operator,
    readiness: portal.readiness,
    relaySecret,
    start(reachedAt: string, publicUrl: string): void {
      apiUrl = reachedAt;
      portal.start({ apiUrl, publicUrl });
      pages.load().catch((error: unknown) => logger.error({ err: error }, 'the pages could not be bundled'));
    },
  };
}
