import { useState } from 'preact/hooks';
import { apiGet } from '../../data/api/calls.ts';
import { Form, useSubmission } from '../../ui/form.tsx';
import { DownloadButton } from '../../data/people/download-button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/section.tsx';

export function AboutMe() {
  const [json, setJson] = useState<string | null>(null);
  const submission = useSubmission({
    send: async () => setJson(JSON.stringify((await apiGet<unknown>('/portal/me')).body, null, 2)),
  });
  return (
    <Section title="Everything that is stored about me">
      {json === null ? (
        <Form label="Show what is stored about me" submission={submission} action="Show it" kind="plain" />
      ) : (
        <>
          <pre class="json" tabIndex={0} aria-label="What is stored, as JSON" role="region">
            {json}
          </pre>
          <div class="actions">
            <CopyButton text={json} what="JSON" />
            <DownloadButton fileName="all-about-me.json" text={() => `${json}\n`}>
              Download
            </DownloadButton>
          </div>
        </>
      )}
    </Section>
  );
}
