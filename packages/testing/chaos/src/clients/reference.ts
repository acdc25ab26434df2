import type { AccountEventBody } from '@paper/contracts/accounts';
import { eventBlocks } from '@paper/testkit/http';
import { eventSummary } from './trader.ts';

/** The events of an account after a sequence up to the last one, read without the client under test. */
export async function referenceEvents(
  { after, baseUrl, key }: { readonly after: number; readonly baseUrl: string; readonly key: string },
  isLast: (event: AccountEventBody) => boolean,
): Promise<readonly string[]> {
  const answer = await fetch(`${baseUrl}/api/stream/account`, {
    headers: { authorization: `Bearer ${key}`, 'last-event-id': String(after) },
  });
  if (answer.status !== 200) throw new Error(`the reference stream: ${answer.status} ${await answer.text()}`);
  const blocks = eventBlocks(answer);
  const found: string[] = [];
  for (let block = await blocks.next(); block !== null; block = await blocks.next()) {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data === undefined) continue;
    const event = JSON.parse(data) as AccountEventBody;
    found.push(eventSummary(event));
    if (isLast(event)) {
      await blocks.leave();
      return found;
    }
  }
  throw new Error('the reference stream ended');
}

/** How many expected events a client lost, how many it saw twice, and whether their order is right. */
export function compareEvents(
  expected: readonly string[],
  seen: readonly string[],
): { readonly lost: number; readonly doubled: number; readonly isInOrder: boolean } {
  const counts = new Map<string, number>();
  for (const one of expected) counts.set(one, (counts.get(one) ?? 0) + 1);
  let doubled = 0;
  for (const one of seen) {
    const left = counts.get(one) ?? 0;
    if (left === 0) doubled += 1;
    else counts.set(one, left - 1);
  }
  const lost = [...counts.values()].reduce((sum, left) => sum + left, 0);
  return { lost, doubled, isInOrder: expected.join('\n') === seen.join('\n') };
}
