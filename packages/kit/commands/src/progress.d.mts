interface Shown {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}
export function startProgress(
  what: string,
  options?: { readonly detail?: () => string; readonly stream?: Shown },
): { done(): void };
