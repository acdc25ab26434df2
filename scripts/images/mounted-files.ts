import { cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import type { ComposedService } from './compose-file.ts';

/** A file or folder of the host that a service mounts. */
export interface MountedFile {
  /** The path as in the Compose file, such as `./infra/front-door/errors`. */
  readonly source: string;
  /** The path in the container. */
  readonly target: string;
}

/** Whether a volume's source is a file or folder of the host; others are named volumes. */
export const isOfHost = (source: string): boolean => /^[./]/.test(source);

/** The volumes of a service that are files or folders of the host. */
export function mountedFiles({ volumes = [] }: Pick<ComposedService, 'volumes'>): readonly MountedFile[] {
  return volumes.flatMap((volume) => {
    const [source = '', target = ''] = volume.split(':');
    return isOfHost(source) ? [{ source, target }] : [];
  });
}

/** Copies the mounted files of a service into a folder, and returns the service with its paths in that folder. */
export function withFilesIn(
  service: ComposedService,
  folder: string,
  placeOf: (source: string) => string,
): ComposedService {
  for (const { source, target } of mountedFiles(service)) {
    cpSync(placeOf(source), path.join(folder, target), { recursive: true });
  }
  const there = (text: string): string => {
    const file = path.join(folder, text);
    return text.startsWith('/') && existsSync(file) ? file : text;
  };
  const { command, environment, healthcheck } = service;
  return {
    ...service,
    ...(command === undefined ? {} : { command: command.map(there) }),
    ...(environment === undefined
      ? {}
      : {
          environment: Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, there(value)])),
        }),
    ...(healthcheck?.test === undefined ? {} : { healthcheck: { ...healthcheck, test: healthcheck.test.map(there) } }),
  };
}
