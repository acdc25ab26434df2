import type { RequestListener } from 'node:http';
import { pathOf } from '@paper/http';

/** A part of the process with paths of its own beside the API's. */
export interface Door {
  /** Whether a path, without its query, is its own. */
  readonly handles: (path: string) => boolean;
  readonly listener: RequestListener;
}

/** The paths of the API, which no door has. */
const API_PREFIX = '/api/';

/** Gives each door its own paths, and the app all others. */
export function besideDoors(doors: readonly Door[], app: RequestListener): RequestListener {
  return (request, response) => {
    const path = pathOf(request);
    const door = path.startsWith(API_PREFIX) ? undefined : doors.find((one) => one.handles(path));
    (door?.listener ?? app)(request, response);
  };
}
