import type { IncomingMessage, RequestListener } from 'node:http';
import { pathOf } from '@paper/http';

/** A part of the process that serves paths of its own besides the API's. */
interface MountedService {
  /** Whether a path, without its query, belongs to this service. */
  readonly handles: (path: string, request: IncomingMessage) => boolean;
  readonly listener: RequestListener;
}

/** The paths of the API, which no mounted service may serve. */
const API_PREFIX = '/api/';

export function routeToMounted(services: readonly MountedService[], app: RequestListener): RequestListener {
  return (request, response) => {
    const path = pathOf(request);
    const service = path.startsWith(API_PREFIX) ? undefined : services.find((one) => one.handles(path, request));
    (service?.listener ?? app)(request, response);
  };
}
