import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A company's issuer of identities, as a real OpenID Connect provider on a free port. */
export interface CompanyIssuer {
  readonly url: string;
  /** The subject that the next people sign in as; null: they decline. */
  subject: string | null;
  /**
   * Follows the issuer's pages as a browser would, from its authorization address to the address of return, which is
   * given and not opened.
   */
  follow(url: string): Promise<URL>;
  close(): Promise<void>;
}

export const COMPANY_CLIENT = { id: 'portal', secret: 'a-secret-of-the-company-for-tests' };

/** Starts an issuer that knows one client, whose address of return is `returnUrl`. */
export async function startCompanyIssuer(returnUrl: string): Promise<CompanyIssuer> {
  let callback: ((request: IncomingMessage, response: ServerResponse) => unknown) | null = null;
  const server = createServer((request, response) => void callback?.(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, {
    clients: [{ client_id: COMPANY_CLIENT.id, client_secret: COMPANY_CLIENT.secret, redirect_uris: [returnUrl] }],
    cookies: { keys: ['a key of the issuer for tests'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    async loadExistingGrant(context) {
      const { client, session } = context.oidc;
      const grant = new context.oidc.provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
  });
  const issuer: CompanyIssuer = {
    url,
    subject: 'ann-of-the-company',
    async follow(from) {
      const cookies = new Map<string, string>();
      for (let at = new URL(from); ;) {
        if (!at.href.startsWith(url)) return at;
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${at.pathname} ${response.status}: ${await response.text()}`);
        at = new URL(location, at);
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const serve = provider.callback();
  callback = (request, response) => {
    if (!(request.url ?? '').startsWith('/interaction/')) return serve(request, response);
    const result =
      issuer.subject === null ? { error: 'access_denied' } : { login: { accountId: issuer.subject, remember: false } };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };
  return issuer;
}
