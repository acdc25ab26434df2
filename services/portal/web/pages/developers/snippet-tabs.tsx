import { useRef, useState } from 'preact/hooks';
import { useUniqueId } from '../../ui/use-unique-id.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { snippets } from './snippets.ts';

/** Tabs with the same program in each language. Arrow keys move between the tabs. */
export function SnippetTabs({ baseUrl, rawKey }: { readonly baseUrl: string; readonly rawKey: string }) {
  const id = useUniqueId();
  const tabs = useRef<(HTMLButtonElement | null)[]>([]);
  const [shown, setShown] = useState(0);
  const all = snippets(baseUrl, rawKey);
  const select = (index: number): void => {
    const wrapped = (index + all.length) % all.length;
    setShown(wrapped);
    tabs.current[wrapped]?.focus();
  };
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: shown + 1,
    ArrowLeft: shown - 1,
    Home: 0,
    End: all.length - 1,
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label="Language">
        {all.map(({ language }, index) => (
          <button
            key={language}
            ref={(element) => {
              tabs.current[index] = element;
            }}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === shown}
            aria-controls={`${id}-panel-${index}`}
            tabIndex={index === shown ? 0 : -1}
            onClick={() => setShown(index)}
            onKeyDown={(event) => {
              const to = steps[event.key];
              if (to === undefined) return;
              event.preventDefault();
              select(to);
            }}
          >
            {language}
          </button>
        ))}
      </div>
      {all.map(({ language, code, run }, index) => (
        <div
          key={language}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          hidden={index !== shown}
        >
          <pre tabIndex={0} role="region" aria-label={`The program in ${language}`}>
            <code>{code}</code>
          </pre>
          <div class="actions">
            <CopyButton text={code} what={`${language} program`} />
            <span class="quiet">{run}</span>
          </div>
        </div>
      ))}
    </div>
  );
}
