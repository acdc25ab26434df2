export {
  allowsOperators,
  type PortalConfig,
  portalSecrets,
  portalServiceSettings,
  portalSettings,
} from './base/config.ts';
export type { PortalPages } from './http/app.ts';
export { createFirstReads, type FirstReads } from './pages/first-reads.ts';
export { BackgroundPages } from './pages/background-pages.ts';
export { createPages } from './pages/pages.ts';
export { connectPortal, type PortalDatabase } from './base/database.ts';
export { Vault } from './base/vault.ts';
export { resealKeys, type ResealedKeys } from './keys/reseal-keys.ts';
export { preparePortal } from './base/schema.ts';
export { createPortal, type Portal, type PortalAddresses, type PortalOptions } from './portal.ts';
