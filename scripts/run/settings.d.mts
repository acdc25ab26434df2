type Setting = readonly [name: string, byDefault: string, what: string];
export const START_SETTINGS: readonly Setting[];
export const SERVICES_SETTINGS: readonly Setting[];
export const ROLES_SETTINGS: readonly Setting[];
