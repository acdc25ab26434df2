import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PortalPages } from '../http/app.ts';
import { isForPages } from './pages.ts';

/** Pages that are made in the background, since the API in the same process must not wait for them. */
export class BackgroundPages implements PortalPages {
  readonly handles = isForPages;
  #pages: Promise<PortalPages> | null = null;
  #problem: string | null = null;

  /** @param make makes the pages when they are first needed, and again after a failure */
  constructor(private readonly make: () => Promise<PortalPages>) {}

  readonly serve = async (request: IncomingMessage, response: ServerResponse, publicUrl: string): Promise<void> => {
    const pages = await this.load();
    await pages.serve(request, response, publicUrl);
  };

  /** Why making the pages failed the last time; null if it succeeded, or runs for the first time. */
  readonly problem = (): string | null => this.#problem;

  load(): Promise<PortalPages> {
    const making = (this.#pages ??= this.make());
    making.then(
      () => (this.#problem = null),
      (error: unknown) => {
        this.#problem = `the pages cannot be made: ${String(error)}`;
        if (this.#pages === making) this.#pages = null;
      },
    );
    return making;
  }
}
