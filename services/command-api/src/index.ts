export { createCommandSide, type CommandSide, type CommandSideOptions } from './command-side.ts';
export { listMarketFields, type ListingBody } from './commands/listing.ts';
export { recordSignalFields } from './commands/signal.ts';
export { commandApiSettings } from './config.ts';
export { decidingOptions, decidingSettings } from './deciding-settings.ts';
export { connectionStringsOf, freshPasswords, prepareRoles, type RolesOptions } from './database-roles/roles.ts';
export { rolesSettings } from './database-roles/settings.ts';
export { readModelOf } from './read-model.ts';
export type { CommandFields, OwnedOrder, KeyOwner, ReadModel } from './command-gateway.ts';
