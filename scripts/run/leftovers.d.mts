export function joinRun(run: string): void;
export function environmentOf(run: string): Readonly<Record<string, string>>;
export function killLeftovers(run: string): void;
export function processesOf(run: string): readonly number[];
