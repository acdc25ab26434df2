import type { RequestListener } from 'node:http';
import type { Backtests } from '@paper/backtests';
import type { CommandSide } from '@paper/command-api';
import { createApp, createOperators, appSettings } from '@paper/http';
import type { OperatorToken } from '@paper/http';
import type { KeyUses } from '@paper/names';
import { loadPages } from '@paper/query-api';
import type { QuerySide } from '@paper/query-api';
import type { ServiceProcess } from '@paper/runtime';
import type { StandaloneConfig } from './config.ts';
import { routeToMounted } from './mounted-service.ts';
import type { MountedServices } from './mounted-services.ts';
import type { InProcessStreams } from './watching.ts';

export function createStandaloneApp(
  sides: {
    readonly backtests: Backtests;
    readonly commandSide: CommandSide;
    readonly querySide: QuerySide;
    readonly watching: InProcessStreams;
    readonly mounted: MountedServices;
    readonly noteKeyUse: KeyUses['note'];
  },
  operatorTokens: readonly OperatorToken[],
  config: StandaloneConfig,
  running: ServiceProcess,
): RequestListener {
  const { backtests, commandSide, mounted, noteKeyUse, querySide, watching } = sides;
  const app = createApp({
    routes: [...commandSide.routes, ...querySide.routes, ...watching.routes, ...backtests.routes],
    pages: loadPages(),
    operators: createOperators([...operatorTokens, mounted.operator]),
    ...appSettings(config, running),
    noteKeyUse,
    tracing: running.tracing,
    relaySecret: mounted.relaySecret,
  });
  return routeToMounted([backtests], mounted.beside(app));
}
