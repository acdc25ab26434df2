/** The services that run as processes of their own, in the order of their start. */
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

/** The number of processes of each service. */
export type ServiceCounts = Readonly<Record<ServiceName, number>>;
