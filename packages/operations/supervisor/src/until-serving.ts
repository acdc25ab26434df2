import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a command API leads, the projection follows and streams open, behind one base URL, while `isRunning`. */
export async function untilServing(
  baseUrl: string,
  operatorToken: string,
  isRunning: () => boolean = () => true,
): Promise<void> {
  const asked: readonly (readonly [path: string, good: (text: string) => boolean])[] = [
    ['/api/operator/status', () => true],
    ['/api/health', (text) => (JSON.parse(text) as { readonly status: string }).status === 'ok'],
    ['/api/stream?marketId=none', () => true],
  ];
  const headers = { authorization: `Bearer ${operatorToken}` };
  for (const [where, good] of asked) {
    while (isRunning()) {
      const answer = await fetch(`${baseUrl}${where}`, { headers }).catch(() => null);
      if (answer !== null && answer.status !== 503 && good(await answer.text())) break;
      await sleep(50);
    }
  }
}
