import type { ComponentType } from 'preact';
import type { PageName } from '../../src/pages/paths.ts';
import { loadStylesOf } from '../base/more-styles.ts';
import type { PageProps } from '../pages/page-props.ts';

/** The module of each page, web/pages/<name>/<name>.tsx, which is bundled into a separate file. */
const MODULES: Readonly<Record<PageName, () => Promise<{ readonly default: ComponentType<PageProps> }>>> = {
  markets: () => import('../pages/markets/markets.tsx'),
  market: () => import('../pages/market/market.tsx'),
  portfolio: () => import('../pages/portfolio/portfolio.tsx'),
  'portfolio-account': () => import('../pages/portfolio-account/portfolio-account.tsx'),
  leaderboard: () => import('../pages/leaderboard/leaderboard.tsx'),
  trader: () => import('../pages/trader/trader.tsx'),
  activity: () => import('../pages/activity/activity.tsx'),
  backtests: () => import('../pages/backtests/backtests.tsx'),
  backtest: () => import('../pages/backtest/backtest.tsx'),
  developers: () => import('../pages/developers/developers.tsx'),
  security: () => import('../pages/security/security.tsx'),
  'sign-up': () => import('../pages/sign-up/sign-up.tsx'),
  'sign-in': () => import('../pages/sign-in/sign-in.tsx'),
  recover: () => import('../pages/recover/recover.tsx'),
  confirm: () => import('../pages/confirm/confirm.tsx'),
  operators: () => import('../pages/operators/operators.tsx'),
  help: () => import('../pages/help/help.tsx'),
  'order-proof': () => import('../pages/order-proof/order-proof.tsx'),
  proof: () => import('../pages/proof/proof.tsx'),
};

const loaded = new Map<PageName, ComponentType<PageProps>>();

export async function loadPage(name: PageName): Promise<ComponentType<PageProps>> {
  const [{ default: Page }] = await Promise.all([MODULES[name](), loadStylesOf(name)]);
  loaded.set(name, Page);
  return Page;
}

export function loadedPage(name: PageName): ComponentType<PageProps> | null {
  return loaded.get(name) ?? null;
}
