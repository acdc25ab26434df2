/** The services that run on their own, in the order in which they are started. */
export const SERVICE_NAMES = ['projector', 'command-api', 'query-api', 'stream-gateway'] as const;

export type ServiceName = (typeof SERVICE_NAMES)[number];

/** How many processes of each. */
export type ServiceCounts = Readonly<Record<ServiceName, number>>;
