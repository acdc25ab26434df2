import * as oidc from 'openid-client';

export interface CompanySettings {
  /** The issuer's identifier, under which its OpenID Connect configuration is found. */
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The redirect address that is registered at the issuer. */
  readonly returnUrl: () => URL;
}

/** The secrets of one sign-in that is under way. They bind the issuer's answer to the browser that asked. */
export interface CompanyAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/**
 * A person at the company's issuer. The two parts together are the only lasting identifier (OpenID Connect Core, 5.7):
 * an e-mail address or a name may pass to another person.
 */
export interface CompanyIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** The issuer's answer does not prove who the person is, or says that they gave up. */
export class CompanySignInRefused extends Error {}

const TIMEOUT_SECONDS = 10;

/**
 * The person must have signed in at the issuer within this many seconds, else it asks them again: a sign-in counts as a
 * proof here, and someone at an unlocked browser must not get one.
 */
const MAX_AGE_SECONDS = 300;

/** Signs people in by the company's OpenID Connect issuer: authorization code flow with PKCE, state and nonce. */
export class CompanyProvider {
  #configuration: Promise<oidc.Configuration> | null = null;

  constructor(private readonly settings: CompanySettings) {}

  /**
   * Begins a sign-in.
   *
   * @returns the issuer's address to send the browser to, and the secrets to check the answer with.
   * @throws where the issuer's configuration cannot be read.
   */
  async begin(): Promise<{ readonly url: URL; readonly attempt: CompanyAttempt }> {
    const configuration = await this.#discover();
    const attempt = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.settings.returnUrl().href,
      // No profile and no e-mail address: the portal uses neither.
      scope: 'openid',
      max_age: String(MAX_AGE_SECONDS),
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, attempt };
  }

  /**
   * Checks the issuer's answer, and exchanges its code.
   *
   * @param query the query of the address that the browser came back to.
   * @throws CompanySignInRefused where the answer proves nothing; other errors where the issuer cannot be reached.
   */
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

/** Whether the answer itself was wrong, and not the way to the issuer. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof oidc.AuthorizationResponseError ||
    error instanceof oidc.ResponseBodyError ||
    (error instanceof oidc.ClientError && !TRANSPORT_CODES.has(error.code ?? ''))
  );
}

const TRANSPORT_CODES: ReadonlySet<string> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** An issuer on this machine may speak http: nothing on the way can be read. */
function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
