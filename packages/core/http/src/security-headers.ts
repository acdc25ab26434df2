import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Helmet's headers for an answer of the API, as names and values: only those that matter for JSON. */
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

export function pageHeaders(contentSecurityPolicy: string): readonly string[] {
  const protect = helmet({ strictTransportSecurity: false, contentSecurityPolicy: false });
  return [...headersOf(protect), 'content-security-policy', contentSecurityPolicy];
}

/** Helmet's headers, computed once. HSTS is off, because plain http on a laptop is supported. */
function headersOf(protect: ReturnType<typeof helmet>): string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protect(response.req, response, (error?: unknown) => {
    if (error !== undefined) throw new Error('the headers of Helmet cannot be made', { cause: error });
  });
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}
