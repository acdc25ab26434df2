import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';

const SHOWN_MS = 2_000;

/** Copies a text, or says that the browser does not allow it, as for pages over plain HTTP from another machine. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [result, setResult] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (result === null) return undefined;
    const timer = window.setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = (): void => {
    // Without a secure context there is no clipboard, although the types say that there is.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard === undefined) {
      setResult('refused');
      return;
    }
    clipboard.writeText(text).then(
      () => setResult('copied'),
      () => setResult('refused'),
    );
  };
  return (
    <span class="copy">
      <Button onClick={copy} label={`Copy the ${what}`}>
        Copy
      </Button>
      <span role="status">
        {result === 'copied' && 'Copied'}
        {result === 'refused' && 'The browser does not allow it: select the text and copy it.'}
      </span>
    </span>
  );
}
