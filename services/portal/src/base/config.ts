import { isLoopback, serverSettings } from '@paper/http';
import { ConfigError, configuredSecrets, described, processSettings, setting } from '@paper/runtime';
import { z } from 'zod';

/** Settings of the portal that the standalone shares, by the names of their variables. */
export const portalSettings = {
  // The base address, which determines the allowed Origin, the links in e-mails and the RP ID of passkeys.
  PUBLIC_URL: described(
    setting.siteUrl.optional(),
    'the address that people use, such as https://paper.example; sign-in works there alone',
    'localhost',
  ),
  PORTAL_SECRET: described(
    z.string().optional(),
    'encrypts the stored keys; two during a change, the newer first',
    'made once',
  ),
  PORTAL_INSECURE: described(setting.onOff.default(false), 'on: sign-in over http at an address that is not loopback'),
  PORTAL_OPERATORS: described(
    setting.onOff.optional(),
    'operators may sign in to the portal: on or off; default: on where HOST and PUBLIC_URL are loopback',
    'by address',
  ),
  SIGN_UP: described(
    z.enum(['open', 'invite', 'closed'], 'must be open, invite or closed').optional(),
    'open, invite or closed; default: open at localhost, else invite',
    'by PUBLIC_URL',
  ),
  SIGN_UPS_PER_HOUR: described(
    setting.wholeNumber(1, 1_000_000).default(5),
    'open sign-ups of one address (IPv4, or IPv6 /64) in an hour',
  ),
  SIGN_UPS_PER_DAY: described(setting.wholeNumber(1, 1_000_000).default(20), 'open sign-ups of one address in a day'),
  SIGN_UPS_IN_ALL: described(
    setting.wholeNumber(1, 1_000_000).default(1_000),
    'open sign-ups of all addresses in a day',
  ),
  SMTP_URL: described(
    z
      .string()
      .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
      // The message must not have the value: its password may be what is wrong.
      .refine(
        (text) => URL.canParse(text),
        'must be an address such as smtp://user:password@host:587, with / as %2F, ? as %3F and # as %23 in the password',
      )
      .optional(),
    'sends e-mails: smtp://user:password@host:587',
  ),
  SMTP_FROM: described(z.string().optional(), 'the sender of e-mails'),
  COMPANY_ISSUER: described(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
    "sign-in by a company's OpenID Connect: its issuer's address",
  ),
  COMPANY_NAME: described(z.string().optional(), 'its name, for the button'),
  COMPANY_CLIENT_ID: described(z.string().optional(), 'what the issuer gave for this service'),
  COMPANY_CLIENT_SECRET: described(z.string().optional(), 'the secret that the issuer gave'),
};

const portalSettingsObject = z.object(portalSettings);

/** The settings of the portal, with the address that its server listens at. */
export type PortalConfig = z.output<typeof portalSettingsObject> & { readonly HOST: string };

/**
 * Whether operators may sign in: by default only if no other machine, nor a proxy at PUBLIC_URL, reaches the portal.
 */
export function allowsOperators(config: Pick<PortalConfig, 'HOST' | 'PORTAL_OPERATORS' | 'PUBLIC_URL'>): boolean {
  const { HOST, PORTAL_OPERATORS, PUBLIC_URL } = config;
  if (PORTAL_OPERATORS !== undefined) return PORTAL_OPERATORS;
  return isLoopback(HOST) && (PUBLIC_URL === undefined || isLoopback(new URL(PUBLIC_URL).hostname));
}

export const portalServiceSettings = z.object({
  ...processSettings,
  ...serverSettings,
  DATABASE_URL: described(setting.databaseUrl, 'the Postgres with the schema `portal`', 'needed'),
  API_URL: described(setting.siteUrl, 'the address of the API: the front door', 'needed'),
  PORTAL_TOKEN: described(
    z
      .string('must be set: the operator token of the portal, of the scope accounts-own')
      .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 visible ASCII characters'),
    "the portal's operator token, of the scope accounts-own",
    'needed',
  ),
  ...portalSettings,
});

/** The secrets that encrypt stored keys, the newest first; null if none is set. @throws ConfigError for a short one. */
export function portalSecrets({ PORTAL_SECRET: text }: Pick<PortalConfig, 'PORTAL_SECRET'>): readonly string[] | null {
  return configuredSecrets('PORTAL_SECRET', text);
}

/** The mail server and the sender of e-mails; null without one. @throws ConfigError when only one of the two is set. */
export function mailSettings({ SMTP_FROM: from, SMTP_URL: url }: PortalConfig) {
  if (url === undefined) return null;
  if (from === undefined) throw new ConfigError('SMTP_FROM must be set beside SMTP_URL: the sender of e-mails.');
  return { from, url };
}

/** The issuer whose people may sign in; null without one. @throws ConfigError without the client's settings. */
export function companySettings(config: PortalConfig) {
  const { COMPANY_CLIENT_ID: clientId, COMPANY_CLIENT_SECRET: clientSecret, COMPANY_ISSUER: issuer } = config;
  if (issuer === undefined) return null;
  if (clientId === undefined || clientSecret === undefined) {
    throw new ConfigError('COMPANY_CLIENT_ID and COMPANY_CLIENT_SECRET must be set beside COMPANY_ISSUER.');
  }
  return { issuer: new URL(issuer), clientId, clientSecret };
}

/** @throws ConfigError when only some of the settings that belong together are set. */
export function assertWhole(config: PortalConfig): void {
  mailSettings(config);
  companySettings(config);
}
