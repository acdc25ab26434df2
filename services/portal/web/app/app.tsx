import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { Router } from 'wouter-preact';
import type { ReadAnswer } from '../../src/pages/read-answer.ts';
import { ProofProvider } from '../data/session/proof.tsx';
import { FirstReadsContext } from '../base/boot.ts';
import { CurrentPage } from './current-page.tsx';
import { Navigation } from './navigation.tsx';
import { SessionProvider } from '../data/session/session.tsx';
import { Notice } from '../ui/notice.tsx';
import { Button } from '../ui/button.tsx';

export interface AppProps {
  readonly reads: ReadonlyMap<string, ReadAnswer>;
  /** The path and the query that the server renders; left out in a browser. */
  readonly ssr?: { readonly path: string; readonly search: string };
}

export function App({ reads, ssr }: AppProps) {
  return (
    <FirstReadsContext.Provider value={reads}>
      <Router {...(ssr === undefined ? {} : { ssrPath: ssr.path, ssrSearch: ssr.search })}>
        <SessionProvider>
          <ProofProvider>
            <a class="skip" href="#main">
              Skip to the content
            </a>
            <Navigation />
            <main id="main" tabIndex={-1}>
              <Guarded>
                <CurrentPage />
              </Guarded>
            </main>
            <footer class="footer">
              <p>
                Simulated money only. Nothing here is an offer, and nothing can be won.{' '}
                <a href="/api/docs">API reference</a> <a href="/docs/format">Journal format</a>
              </p>
            </footer>
          </ProofProvider>
        </SessionProvider>
      </Router>
    </FirstReadsContext.Provider>
  );
}

/** Shows what failed in a page, so that a fault does not leave an empty window. */
function Guarded({ children }: { readonly children: ComponentChildren }) {
  const [error] = useErrorBoundary((thrown: unknown) => reportError(thrown)) as [unknown, () => void];
  if (error === undefined) return children;
  return (
    <>
      <h1>This page failed</h1>
      <Notice kind="error">{error instanceof Error ? error.message : 'It gave no reason.'}</Notice>
      <Button onClick={() => location.reload()}>Reload the page</Button>
    </>
  );
}
