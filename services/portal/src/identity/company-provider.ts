import * as oidc from 'openid-client';
import type { companySettings } from '../base/config.ts';

type CompanySettings = NonNullable<ReturnType<typeof companySettings>> & { readonly returnUrl: () => URL };

/** The secrets that bind the issuer's answer to the browser that began a sign-in. */
export type CompanyAttempt = Readonly<Record<'state' | 'nonce' | 'codeVerifier', string>>;

/** A person at the issuer. Only both parts together never pass to another person (OpenID Connect Core, 5.7). */
export type CompanyIdentity = Readonly<Record<'issuer' | 'subject', string>>;

/** The issuer's answer does not prove who the person is, or says that the person gave up. */
export class CompanySignInRefused extends Error {}

const TIMEOUT_SECONDS = 10;

/** An older sign-in at the issuer is asked for again, since a sign-in counts as a fresh proof of identity here. */
const MAX_AGE_SECONDS = 300;

/** Signs people in by the company's OpenID Connect issuer: authorization code flow with PKCE, state and nonce. */
export class CompanyProvider {
  #configuration: Promise<oidc.Configuration> | null = null;

  constructor(private readonly settings: CompanySettings) {}

  /** Begins a sign-in at the returned address of the issuer. @throws when its configuration cannot be read. */
  async begin(): Promise<{ readonly url: URL; readonly attempt: CompanyAttempt }> {
    const configuration = await this.#discover();
    const attempt = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.settings.returnUrl().href,
      // The scope has no profile and no e-mail address, since the portal uses neither.
      scope: 'openid',
      max_age: String(MAX_AGE_SECONDS),
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, attempt };
  }

  /** Exchanges the code in the issuer's answer. @throws CompanySignInRefused if the answer proves nothing. */
  async finish(query: string, { state, nonce, codeVerifier }: CompanyAttempt): Promise<CompanyIdentity> {
    const configuration = await this.#discover();
    const url = this.settings.returnUrl();
    url.search = query;
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        maxAge: MAX_AGE_SECONDS,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new CompanySignInRefused('The issuer sent no identity.');
      return { issuer: claims.iss, subject: claims.sub };
    } catch (error) {
      throw isRefusal(error) ? new CompanySignInRefused('The sign-in was not confirmed.', { cause: error }) : error;
    }
  }

  #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    if (this.#configuration === null) {
      const found = oidc.discovery(issuer, clientId, undefined, oidc.ClientSecretBasic(clientSecret), {
        timeout: TIMEOUT_SECONDS,
        // oxlint-disable-next-line typescript/no-deprecated -- marked so that it stands out; only for loopback here
        execute: isLoopback(issuer) ? [oidc.allowInsecureRequests] : [],
      });
      this.#configuration = found;
      // The next person tries again.
      found.catch(() => (this.#configuration = null));
    }
    return this.#configuration;
  }
}

/** Whether the answer itself was wrong, rather than the connection to the issuer. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof oidc.AuthorizationResponseError ||
    error instanceof oidc.ResponseBodyError ||
    (error instanceof oidc.ClientError && !TRANSPORT_CODES.has(error.code ?? ''))
  );
}

const TRANSPORT_CODES: ReadonlySet<string> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** An issuer on this machine may use http: nobody can read the traffic on the way. */
function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
