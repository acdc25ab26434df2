export function measureMachine(): number;
export function factorOf(measured: { readonly loadPerCore: number; readonly workMs: number }): number;
