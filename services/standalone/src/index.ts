export type { ServiceFile } from './service-file.ts';
export { operatorTokensOf, portalOperator } from './operator-token.ts';
export { forgetService, publishService } from './service-file.ts';
export { standaloneSettings } from './config.ts';
export { storedPortalSecret } from './stored-secret.ts';
