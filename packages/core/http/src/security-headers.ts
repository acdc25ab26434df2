import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/**
 * Helmet's headers for an answer of the API, as names and values one after the other. Only those that matter for JSON
 * remain: nothing is loaded or framed, no other type is guessed, no other site embeds it. The others concern documents
 * (opener, agent cluster, referrer) or obsolete plugins and browsers, or repeat the policy.
 */
export function apiHeaders(): readonly string[] {
  const protect = helmet({
    strictTransportSecurity: false,
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  return headersOf(protect);
}

/** Helmet's headers for a document with a policy of its own. */
export function pageHeaders(contentSecurityPolicy: string): readonly string[] {
  const protect = helmet({ strictTransportSecurity: false, contentSecurityPolicy: false });
  return [...headersOf(protect), 'content-security-policy', contentSecurityPolicy];
}

/**
 * Helmet's headers are the same for each answer, so they are computed once. HSTS is off, because plain http on a laptop
 * is supported.
 */
function headersOf(protect: ReturnType<typeof helmet>): string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protect(response.req, response, (error?: unknown) => {
    if (error !== undefined) throw new Error('the headers of Helmet cannot be made', { cause: error });
  });
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}
