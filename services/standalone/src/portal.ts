import { appSettings } from '@paper/http';
import type { OperatorToken, ReadinessCheck } from '@paper/http';
import { configuredSecrets, randomSecret } from '@paper/runtime';
import { BackgroundPages, createFirstReads, createPages, createPortal, portalSecrets } from '@paper/portal';
import type { StandaloneConfig } from './config.ts';
import type { MountedService } from './mounted-service.ts';
import { portalOperator } from './operator-token.ts';
import type { SharedParts } from './read-side.ts';
import { storedPortalSecret } from './stored-secret.ts';

/** The portal on the same port as the API of this process. */
export interface MountedPortal extends MountedService {
  /** The operator token with which the portal calls the API. */
  readonly operator: OperatorToken;
  readonly readiness: ReadinessCheck;
  /**
   * The secret that proves to the API that the portal sent a call, so that the call counts against the client's
   * address.
   */
  readonly relaySecret: string;
  /** Begins to serve, and bundles the pages in the background. */
  readonly start: (apiUrl: string, publicUrl: string) => void;
}

/** Opens the portal, which is a client of the API at this process's own address. */
export async function mountPortal(
  { databases, persist, running }: SharedParts,
  config: StandaloneConfig,
): Promise<MountedPortal> {
  const { logger, teardown } = running;
  const operator = portalOperator();
  const relaySecret = randomSecret();
  let apiUrl = '';
  const pages = new BackgroundPages(() => createPages(createFirstReads({ apiUrl: () => apiUrl })));
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
    start(reachedAt, publicUrl) {
      apiUrl = reachedAt;
      portal.start({ apiUrl, publicUrl });
      pages.load().catch((error: unknown) => logger.error({ err: error }, 'the pages could not be bundled'));
    },
  };
}
