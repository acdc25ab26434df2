import type { IncomingMessage } from 'node:http';
import { ApiError } from '@paper/contracts';
import { faultOfHost } from '@paper/http';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The host names by which this service is reached: those of this machine, and the given ones, without ports. A page
 * whose own name was made to resolve to this service (DNS rebinding) sends that name as Host, and pages of other sites
 * send theirs as Origin. Programs send no Origin.
 */
export class HostNames {
  readonly #names: ReadonlySet<string>;

  /** `names`: host names without ports, IPv6 addresses in brackets. */
  constructor(names: readonly string[]) {
    this.#names = new Set([...LOOPBACK, ...names.map((name) => name.toLowerCase())]);
  }

  /** @throws ApiError validation_failed for no Host or several, `forbidden` for an unknown name. */
  assertKnown(request: IncomingMessage): void {
    const fault = faultOfHost(request);
    if (fault !== null) throw fault;
    if (!this.#names.has(hostnameOf(`http://${request.headers.host ?? ''}`))) {
      throw new ApiError('forbidden', 'This service does not know itself by this Host: set PUBLIC_URL or MCP_HOSTS');
    }
    const origins = request.headersDistinct['origin'] ?? [];
    if (origins.length === 0) return;
    const [origin = ''] = origins;
    if (origins.length === 1 && /^https?:\/\//.test(origin) && this.#names.has(hostnameOf(origin))) return;
    throw new ApiError('forbidden', 'Pages of this Origin may not call this service');
  }
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
