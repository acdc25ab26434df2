import { useState } from 'preact/hooks';
import { portalCall } from '../../data/api/calls.ts';
import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { RecoveryCodes } from '../../data/people/recovery-codes.tsx';
import { useProof } from '../../data/session/proof.tsx';
import { Section } from '../../ui/section.tsx';

export interface NewRecoveryCodesProps {
  readonly left: number;
  readonly signInName: string;
  readonly onChange: () => void;
}

/** Replaces all recovery codes by ten new ones. */
export function NewRecoveryCodes({ left, signInName, onChange }: NewRecoveryCodesProps) {
  const withProof = useProof();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const submission = useSubmission({
    fields: [],
    send: async () => {
      const made = await withProof(() =>
        portalCall<{ readonly recoveryCodes: readonly string[] }>('POST', '/portal/recovery-codes'),
      );
      setCodes(made.recoveryCodes);
      onChange();
    },
  });
  return (
    <Section title="Recovery codes">
      <p class="quiet">
        {left === 1 ? '1 unused code is left.' : `${left} unused codes are left.`} New codes replace all former ones.
      </p>
      {codes === null ? (
        <Form label="Make new recovery codes" submission={submission} action="Make new codes" kind="plain" />
      ) : (
        <RecoveryCodes codes={codes} signInName={signInName} onStored={() => setCodes(null)} />
      )}
    </Section>
  );
}
