import type { Logger } from '@paper/runtime';
import { removalBy } from './account-removal.ts';
import { Deletions } from './deletion.ts';
import { companySettings, mailSettings } from '../base/config.ts';
import type { PortalConfig } from '../base/config.ts';
import type { Site } from '../base/site.ts';
import { CompanyProvider } from '../identity/company-provider.ts';
import { COMPANY_RETURN, CompanySignIn } from '../identity/company.ts';
import type { PortalDatabase } from '../base/database.ts';
import { EmailChange } from '../identity/email-change.ts';
import { EmailLinks } from '../identity/email-links.ts';
import { createMailer } from '../identity/mailer.ts';
import type { Mailer } from '../identity/mailer.ts';
import { OperatorSessions } from '../identity/operator-sessions.ts';
import { foldName } from '../identity/passwords.ts';
import { Recovery } from '../identity/recovery.ts';
import type { Throttle } from '../identity/throttle.ts';
import type { Apis } from '../keys/api.ts';

/** The parts for means of sign-in other than the password, and for their removal. */
export interface AccountSecurity {
  /** The mailer; null if the portal has no mail server. The parts for e-mail below are then null too. */
  readonly mailer: Mailer | null;
  readonly links: EmailLinks | null;
  readonly emailChange: EmailChange | null;
  /** Sends the link that confirms the address of a sign-up. */
  readonly sendConfirmation: ((personId: string, email: string) => Promise<void>) | null;
  /** The company's sign-in; null if no company's people may sign in. */
  readonly company: CompanySignIn | null;
  readonly recovery: Recovery;
  readonly operatorSessions: OperatorSessions;
  readonly deletions: Deletions;
}

/** The parts that these are made of. */
interface Foundation {
  readonly apis: Apis;
  readonly config: PortalConfig;
  readonly db: PortalDatabase;
  readonly logger: Logger;
  readonly site: () => Site;
  readonly throttle: Throttle;
}

/** @throws ConfigError when only some of the settings that belong together are set. */
export function createAccountSecurity(parts: Foundation): AccountSecurity {
  const { apis, config, db, logger, site, throttle } = parts;
  const mailer = mailerOf(config);
  const links = mailer === null ? null : new EmailLinks(db, mailer, site, logger);
  const emailChange = links === null ? null : new EmailChange(db, links, throttle, logger);
  return {
    mailer,
    links,
    emailChange,
    sendConfirmation:
      emailChange === null ? null : (personId, email) => emailChange.confirmSignUp(personId, foldName(email)),
    company: companyOf(parts),
    recovery: new Recovery(db, links, throttle, logger),
    operatorSessions: new OperatorSessions(db),
    deletions: new Deletions(db, removalBy(apis), logger),
  };
}

function mailerOf(config: PortalConfig): Mailer | null {
  const settings = mailSettings(config);
  return settings === null ? null : createMailer(settings);
}

function companyOf({ config, db, site }: Foundation): CompanySignIn | null {
  const settings = companySettings(config);
  if (settings === null) return null;
  const returnUrl = (): URL => new URL(COMPANY_RETURN, site().publicUrl);
  return new CompanySignIn(db, new CompanyProvider({ ...settings, returnUrl }));
}
