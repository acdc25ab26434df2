import { useRead } from '../../data/api/use-read.ts';
import type { Person, SessionInfo } from '../../data/session/session.tsx';
import type { SecurityState } from '../../data/people/answers.ts';
import { OnlySignedIn } from '../../data/people/only-signed-in.tsx';
import { StoreCodes } from '../../data/people/store-codes.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Notice, ReadNotice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { NoteChoice } from '../../ui/note-choices.tsx';
import { AboutMe } from './about-me.tsx';
import { CompanyLink } from './company-link.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { DisplayName } from './display-name.tsx';
import { EmailAddress } from './email-address.tsx';
import { NewPassword } from './new-password.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

export default function Security() {
  return (
    <div class="medium">
      <h1>Account</h1>
      <OnlySignedIn>{(person, info) => <Sections person={person} info={info} />}</OnlySignedIn>
    </div>
  );
}

function Sections({ person, info }: { readonly person: Person; readonly info: SessionInfo }) {
  const { data, error, reload } = useRead<SecurityState>('/portal/security');
  if (data === null) return <ReadNotice data={data} error={error} />;
  return (
    <>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      <Facts
        as="facts"
        of={{ 'Sign-in name (private)': person.signInName, Account: <code>{person.accountId}</code> }}
      />
      <Section title="In this browser">
        <div class="field-grid">
          <NoteChoice of="theme" />
          <NoteChoice of="times" onChange={reload} />
        </div>
      </Section>
      <DisplayName name={person.displayName} />
      <Passkeys passkeys={data.passkeys} isOffered={info.passkeysEnabled} onChange={reload} />
      <NewPassword hasPassword={data.hasPassword} onChange={reload} />
      <Section title="Recovery codes">
        <p class="quiet">
          {data.recoveryCodesLeft === 1 ? '1 unused code is left.' : `${data.recoveryCodesLeft} unused codes are left.`}{' '}
          New codes replace all former ones.
        </p>
        <div class="actions">
          <StoreCodes action="Make new codes" onChange={reload} />
        </div>
      </Section>
      {info.emailEnabled && <EmailAddress email={data.email} onChange={reload} />}
      {info.companyName !== null && <CompanyLink offered={info.companyName} linked={data.company} onChange={reload} />}
      <Sessions sessions={data.sessions} onChange={reload} />
      <AboutMe />
      <DeleteAccount signInName={person.signInName} />
    </>
  );
}
