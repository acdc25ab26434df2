import type { Setting } from '../declaration.d.mts';

export const START_SETTINGS: readonly Setting[];
export const SERVICES_SETTINGS: readonly Setting[];
export const ROLES_SETTINGS: readonly Setting[];
