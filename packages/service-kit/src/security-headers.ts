import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** What Helmet puts on an answer of the API. It is the same for each, so it is asked once. */
export function securityHeaders(): readonly (readonly [name: string, value: string])[] {
  const protect = helmet({
    // Nothing here is a page. Plain http on a laptop is a supported way to run, so there is no HSTS.
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: false,
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  protect(request, response, (error?: unknown) => {
    if (error !== undefined) throw new Error('the headers of Helmet cannot be made', { cause: error });
  });
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}
