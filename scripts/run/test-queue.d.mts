import type { TestItem } from './test-items.mjs';

interface Queue {
  next(worker: { readonly unitsFirst: boolean }): Promise<TestItem | null>;
  stop(): void;
}

export function createQueue(items: readonly TestItem[], building: Promise<void>): Queue;
export function runQueue(root: string, options: readonly string[], items: readonly TestItem[]): Promise<number>;
