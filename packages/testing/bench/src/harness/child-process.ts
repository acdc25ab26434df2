import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Sends a request to a program that calls `answerParent`, and returns its answer. @throws Error without one */
export async function runInChildProcess<Answer>(
  program: string,
  request: object,
  nodeOptions: readonly string[] = [],
): Promise<Answer> {
  const child = fork(program, { execArgv: [...nodeOptions, '--import', 'tsx'] });
  const ended = once(child, 'exit');
  const answered = once(child, 'message') as Promise<[Answer]>;
  child.send(request);
  const answer = await Promise.race([answered, ended.then(() => null)]);
  await ended;
  if (answer === null) throw new Error(`${program} ended with ${child.exitCode}, and answered nothing`);
  return answer[0];
}

/** Answers the parent's only request, and exits. */
export function answerParent(answer: (request: never) => Promise<unknown>): void {
  process.once('message', (request) => {
    void answer(request as never).then((answered) => process.send?.(answered, () => process.disconnect()));
  });
}
