import { AsyncLocalStorage } from 'node:async_hooks';

const commandsOf = new AsyncLocalStorage<string[]>();

/** Runs a request's handler. The correlation ids of the commands that it makes are added to `commands`. */
export function collectCommands<T>(commands: string[], handle: () => T): T {
  return commandsOf.run(commands, handle);
}

/** Records that the current request has made a command. Costs nothing while no request is being collected. */
export function noteCommand(correlationId: string): void {
  commandsOf.getStore()?.push(correlationId);
}
