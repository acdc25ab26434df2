import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A process of the benchmark that accepts commands and sends reports. */
export interface BenchProcess<Command, Report extends { readonly is: string }> {
  send(command: Command): void;
  /** The next report of this kind; rejects when the process ends before. */
  report<K extends Report['is']>(kind: K): Promise<Extract<Report, { readonly is: K }>>;
  onReport(listen: (report: Report) => void): void;
  end(): Promise<void>;
}

export function startProcess<Command, Report extends { readonly is: string }>(
  file: string,
  options: readonly string[] = [],
): BenchProcess<Command, Report> {
  const child: ChildProcess = fork(path.join(import.meta.dirname, file), [...options], {
    execArgv: ['--import', 'tsx'],
  });
  const ended = once(child, 'exit');
  return {
    send: (command) => void child.send(command as object),
    report: (kind) =>
      new Promise((resolve, reject) => {
        const onMessage = (report: Report): void => {
          if (report.is !== kind) return;
          child.off('message', onMessage);
          resolve(report as Extract<Report, { readonly is: typeof kind }>);
        };
        child.on('message', onMessage);
        void ended.then(([code]: unknown[]) => reject(new Error(`${file} ended (${String(code)})`)));
      }),
    onReport: (listen) => void child.on('message', listen),
    async end() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
