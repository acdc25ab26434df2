import { useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import { useRead } from '../../data/api/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { Notice, ReadNotice } from '../../ui/notice.tsx';
import { CommandDialog } from './command-dialog.tsx';
import type { AnyCommand } from './command-dialog.tsx';

/** A list for operators, a page at a time, with commands on its rows. Another `first` path starts a new list. */
export function useOperatorList<T extends { readonly id: string }>(first: string) {
  const [page, setPage] = useState<{ readonly of: string; readonly path: string } | null>(null);
  const path = page?.of === first ? page.path : first;
  const { data, error, next, reload } = useRead<readonly T[]>(path);
  const [result, setResult] = useState<{ readonly kind: 'success' | 'error'; readonly text: string } | null>(null);
  const [asked, setAsked] = useState<AnyCommand | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const show = (command: AnyCommand | null, text?: string): void => {
    setAsked(command);
    setResult(text === undefined ? null : { kind: 'success', text });
    if (text !== undefined) reload();
  };
  return {
    data,
    busy,
    ask: (command: AnyCommand) => show(command),
    run: ({ id }: T, send: () => Promise<string>): void => {
      setBusy(id);
      void send()
        .then((text) => show(null, text))
        .catch((failed: unknown) => setResult({ kind: 'error', text: toCallError(failed).message }))
        .then(() => setBusy(null));
    },
    /** The part below the rows: further pages, the result of a command, and the dialog of the next one. */
    rest: (
      <>
        <ReadNotice data={data} error={error} />
        {data !== null && (
          <div class="actions">
            {path !== first && <Button onClick={() => setPage(null)}>Newest</Button>}
            {next !== null && <Button onClick={() => setPage({ of: first, path: next })}>Older</Button>}
          </div>
        )}
        {result !== null && (
          <div class="command-result">
            <Notice kind={result.kind}>{result.text}</Notice>
          </div>
        )}
        {asked !== null && (
          <CommandDialog command={asked} onClose={() => setAsked(null)} onDone={(text) => show(null, text)} />
        )}
      </>
    ),
  };
}
