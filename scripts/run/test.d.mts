/** The globs of the specs of each part. */
export const PARTS: readonly (readonly string[])[];
