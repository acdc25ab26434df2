export { allowsOperators, type PortalConfig, portalSecrets, portalServiceSettings, portalSettings } from './config.ts';
export type { PortalPages } from './http/app.ts';
export { createFirstReads, type FirstReads, type FirstReadsOptions } from './pages/first-reads.ts';
export { BackgroundPages } from './pages/background-pages.ts';
export { createPages } from './pages/pages.ts';
export { PORTAL_ROLE, preparePortal } from './identity/schema.ts';
export { createPortal, type Portal, type PortalAddresses, type PortalOptions } from './portal.ts';
