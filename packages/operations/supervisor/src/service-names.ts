import type { DatabaseRole } from '@paper/runtime/coordination';

/** The services, in the order of their start. */
export const SERVICE_NAMES = [
  'projector',
  'command-api',
  'query-api',
  'stream-gateway',
  'portal',
  'mcp',
  'backtests',
] as const;

export type ServiceName = (typeof SERVICE_NAMES)[number];

/** The database roles of each service. The first one is that of its DATABASE_URL. */
export const ROLES_OF: Readonly<Record<ServiceName, readonly DatabaseRole[]>> = {
  projector: ['projector'],
  'command-api': ['command'],
  'query-api': ['reader'],
  'stream-gateway': ['reader'],
  portal: ['portal'],
  mcp: [],
  backtests: ['reader', 'backtests'],
};

export type ServiceCounts = Readonly<Record<ServiceName, number>>;
