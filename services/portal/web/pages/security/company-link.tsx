import { Section } from '../../ui/section.tsx';

export interface CompanyLinkProps {
  /** The company whose sign-in this service offers. */
  readonly offered: string;
  /** The one that the account is linked to. */
  readonly linked: { readonly name: string } | null;
}

/** Links the account to the person's identity at the company. */
export function CompanyLink({ offered, linked }: CompanyLinkProps) {
  return (
    <Section title="Company sign-in">
      {linked === null ? (
        <p>
          <a class="button plain" href="/portal/company/start">
            Link {offered}
          </a>
        </p>
      ) : (
        <p>You can sign in with {linked.name}.</p>
      )}
    </Section>
  );
}
