import {
  accountEndpoints,
  accountStreamEndpoints,
  leaderboardEndpoints,
  ownAccountEndpoints,
} from './accounts/endpoints.ts';
import { backtestEndpoints } from './backtests/endpoints.ts';
import { auditEndpoints } from './journal/endpoints.ts';
import { marketEndpoints, marketHistoryEndpoints, marketStreamEndpoints, tradeEndpoints } from './markets/endpoints.ts';
import { operatorEndpoints } from './operator/endpoints.ts';
import { oversightEndpoints } from './operator/oversight-endpoints.ts';
import { orderEndpoints, orderHistoryEndpoints } from './orders/endpoints.ts';
import { orderToolEndpoints } from './orders/tool-endpoints.ts';
import { portfolioEndpoints } from './portfolio/endpoints.ts';
import { serviceEndpoints } from './service/endpoints.ts';
import { marketSignalEndpoints, signalEndpoints } from './signals/endpoints.ts';

/** Every implemented endpoint by its operationId. The OpenAPI document and the clients made from it keep this order. */
export const endpoints = {
  ...marketSignalEndpoints,
  ...marketHistoryEndpoints,
  ...leaderboardEndpoints,
  ...tradeEndpoints,
  ...serviceEndpoints,
  ...marketEndpoints,
  ...marketStreamEndpoints,
  ...accountStreamEndpoints,
  ...orderEndpoints,
  ...ownAccountEndpoints,
  ...orderHistoryEndpoints,
  ...portfolioEndpoints,
  ...signalEndpoints,
  ...orderToolEndpoints,
  ...accountEndpoints,
  ...auditEndpoints,
  ...backtestEndpoints,
  ...operatorEndpoints,
  ...oversightEndpoints,
};

export type EndpointId = keyof typeof endpoints;
