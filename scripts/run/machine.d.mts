export function factorOf(measured: { readonly loadPerCore: number; readonly workMs: number }): number;
export function followLoad(): number;
