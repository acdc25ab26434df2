import { accountEndpoints } from './accounts/endpoints.ts';
import { leaderboardEndpoints } from './accounts/leaderboard-endpoints.ts';
import { ownAccountEndpoints } from './accounts/own-endpoints.ts';
import { accountStreamEndpoints } from './accounts/stream-endpoints.ts';
import { backtestEndpoints } from './backtests/endpoints.ts';
import { auditEndpoints } from './journal/endpoints.ts';
import { marketEndpoints } from './markets/endpoints.ts';
import { marketHistoryEndpoints } from './markets/history-endpoints.ts';
import { marketStreamEndpoints } from './markets/stream-endpoints.ts';
import { tradeEndpoints } from './markets/trade-endpoints.ts';
import { operatorEndpoints } from './operator/endpoints.ts';
import { oversightEndpoints } from './operator/oversight-endpoints.ts';
import { orderEndpoints } from './orders/endpoints.ts';
import { orderHistoryEndpoints } from './orders/history-endpoints.ts';
import { orderToolEndpoints } from './orders/tool-endpoints.ts';
import { portfolioEndpoints } from './portfolio/endpoints.ts';
import { serviceEndpoints } from './service/endpoints.ts';
import { signalEndpoints } from './signals/endpoints.ts';
import { marketSignalEndpoints } from './signals/market-endpoints.ts';

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
