import { accountEndpoints } from './endpoints/accounts.ts';
import { auditEndpoints } from './endpoints/audit.ts';
import { marketEndpoints } from './endpoints/markets.ts';
import { operatorEndpoints } from './endpoints/operator.ts';
import { orderToolEndpoints } from './endpoints/order-tools.ts';
import { oversightEndpoints } from './endpoints/oversight.ts';
import { streamEndpoints } from './endpoints/stream.ts';
import { tradingEndpoints } from './endpoints/trading.ts';
import { watchingEndpoints } from './endpoints/watching.ts';

/** Every implemented endpoint by its operationId. */
export const endpoints = {
  ...watchingEndpoints,
  ...marketEndpoints,
  ...streamEndpoints,
  ...tradingEndpoints,
  ...orderToolEndpoints,
  ...accountEndpoints,
  ...auditEndpoints,
  ...operatorEndpoints,
  ...oversightEndpoints,
};

export type EndpointId = keyof typeof endpoints;
