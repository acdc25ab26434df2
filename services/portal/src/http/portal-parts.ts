import type { Logger, Metrics } from '@paper/runtime';
import { AccountOpening } from '../accounts/account-opening.ts';
import { Deletions } from '../accounts/deletion.ts';
import { SignUps } from '../accounts/sign-up.ts';
import { companySettings, mailSettings } from '../base/config.ts';
import type { PortalConfig } from '../base/config.ts';
import type { PortalDatabase } from '../base/database.ts';
import type { Site } from '../base/site.ts';
import { Vault } from '../base/vault.ts';
import { CompanyProvider } from '../identity/company-provider.ts';
import { COMPANY_RETURN, CompanySignIn } from '../identity/company.ts';
import { EmailChange } from '../identity/email-change.ts';
import { EmailLinks } from '../identity/email-links.ts';
import { createMailer } from '../identity/mailer.ts';
import { OperatorSessions } from '../identity/operator-sessions.ts';
import { Passwords } from '../identity/passwords.ts';
import { Recovery } from '../identity/recovery.ts';
import { Sessions } from '../identity/sessions.ts';
import { Throttle } from '../identity/throttle.ts';
import { Apis } from '../keys/api.ts';
import { PortalKeys } from '../keys/portal-keys.ts';
import { ApiRequests } from './api-requests.ts';
import { OpenStreams } from './open-streams.ts';
import { SharedTopics } from './shared-topics.ts';

interface PartsOptions {
  readonly config: PortalConfig;
  readonly db: PortalDatabase;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly operatorToken: string;
  readonly relaySecret: string | null;
  readonly secrets: readonly string[];
  /** Returns the site once the portal has started; throws `Unavailable` before. The same holds for `apiUrl`. */
  readonly site: () => Site;
  readonly apiUrl: () => string;
}

export type PortalParts = ReturnType<typeof createPortalParts>;

/** Makes the parts. Those for e-mail, and for the company's sign-in, are null without their settings. */
export function createPortalParts(options: PartsOptions) {
  const { config, db, logger, metrics, site } = options;
  const vault = new Vault(options.secrets);
  const throttle = new Throttle(db, vault);
  const apis = new Apis(options.apiUrl, options.operatorToken);
  const keys = new PortalKeys(db, vault, apis, logger);
  const sessions = new Sessions(db);
  const mail = mailSettings(config);
  const mailer = mail === null ? null : createMailer(mail);
  const links = mailer === null ? null : new EmailLinks(db, mailer, site, logger);
  const issuer = companySettings(config);
  const returnUrl = (): URL => new URL(COMPANY_RETURN, site().origin);
  return {
    config,
    db,
    logger,
    site,
    throttle,
    apis,
    keys,
    sessions,
    passwords: new Passwords(metrics),
    apiRequests: new ApiRequests(options.relaySecret),
    sharedTopics: new SharedTopics(),
    streams: new OpenStreams(sessions, metrics),
    signUps: new SignUps(db, throttle, config),
    opening: new AccountOpening(db, apis, keys, logger, metrics),
    mailer,
    links,
    emailChange: links === null ? null : new EmailChange(db, links, throttle, logger),
    company: issuer === null ? null : new CompanySignIn(db, new CompanyProvider({ ...issuer, returnUrl })),
    recovery: new Recovery(db, links, throttle, logger),
    operatorSessions: new OperatorSessions(db),
    deletions: new Deletions(db, apis, logger),
  };
}
