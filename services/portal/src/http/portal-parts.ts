import type { Logger, Metrics } from '@paper/runtime';
import type { AccountSecurity } from '../accounts/account-security.ts';
import type { AccountOpening } from '../accounts/account-opening.ts';
import type { SignUps } from '../accounts/sign-up.ts';
import type { PortalConfig } from '../base/config.ts';
import type { PortalDatabase } from '../base/database.ts';
import type { Passwords } from '../identity/passwords.ts';
import type { Sessions } from '../identity/sessions.ts';
import type { Throttle } from '../identity/throttle.ts';
import type { Site } from '../base/site.ts';
import type { ApiRequests } from './api-requests.ts';
import type { OpenStreams } from './open-streams.ts';
import type { SharedTopics } from './shared-topics.ts';
import type { Apis } from '../keys/api.ts';
import type { PortalKeys } from '../keys/portal-keys.ts';
import type { Vault } from '../base/vault.ts';

/** The parts from which groups of routes and background jobs are made. */
export interface PortalParts extends AccountSecurity {
  readonly config: PortalConfig;
  readonly db: PortalDatabase;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  /** Encrypts stored secrets: keys of accounts, tokens of operators. */
  readonly vault: Vault;
  /** Clients of the API. */
  readonly apis: Apis;
  /** The stored keys of people's accounts. */
  readonly keys: PortalKeys;
  /** Forwards requests to the API. */
  readonly apiRequests: ApiRequests;
  /** Streams of the API that many people share. */
  readonly sharedTopics: SharedTopics;
  /** The open streams of people. */
  readonly streams: OpenStreams;
  readonly signUps: SignUps;
  readonly opening: AccountOpening;
  /** Returns the site once the portal has started; throws `Unavailable` before. */
  readonly site: () => Site;
  readonly logger: Logger;
  readonly metrics: Metrics;
}
