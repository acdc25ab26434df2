import { useEffect } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { portalCall } from '../../data/api/calls.ts';
import { answerPasskey } from '../../data/api/passkeys.ts';
import { useSession, useWayBack } from '../../data/session/session.tsx';
import type { SessionInfo } from '../../data/session/session.tsx';
import { Form, useSubmission } from '../../ui/form.tsx';
import { localPath } from '../../data/people/local-path.ts';
import { FieldsForm } from '../../ui/fields-form.tsx';
import { Notice, ReadNotice } from '../../ui/notice.tsx';
import { SIGN_IN_NAME } from '../../ui/field.tsx';

/** Signs a person in, and returns to the page that they came from. */
export default function SignIn() {
  const { info, error, person } = useSession();
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  const next = search.get('next');
  useEffect(() => {
    if (person !== null) navigate(localPath(next, location.origin), { replace: true });
  }, [person, next, navigate]);
  return (
    <div class="narrow">
      <h1>Sign in</h1>
      {search.has('deleted') && (
        <Notice kind="success">
          You are signed out, and your account is being deleted. That takes a few moments and goes on by itself.
        </Notice>
      )}
      {search.get('company') === 'refused' && <Notice kind="error">The company sign-in did not succeed.</Notice>}
      {search.get('company') === 'unavailable' && (
        <Notice kind="error">The company sign-in does not answer now. Try again later, or sign in another way.</Notice>
      )}
      {info === null && <ReadNotice data={info} error={error} />}
      {info !== null && info.reason !== null && <Notice kind="warning">{info.reason}</Notice>}
      {info !== null && info.reason === null && person === null && <Ways info={info} next={next} />}
    </div>
  );
}

function Ways({ info, next }: { readonly info: SessionInfo; readonly next: string | null }) {
  const { refresh } = useSession();
  const { signUp } = useWayBack();
  const byPasskey = useSubmission({
    send: async () => {
      await answerPasskey('sign-in');
      await refresh();
    },
  });
  return (
    <>
      <FieldsForm
        action="Sign in"
        fields={{ name: SIGN_IN_NAME, password: { label: 'Password', purpose: 'current' } }}
        byCode={{ wrong_credentials: 'password' }}
        check={({ name, password }) => ({
          ...(name.trim() === '' ? { name: 'Type your sign-in name or e-mail address.' } : {}),
          ...(password === '' ? { password: 'Type your password.' } : {}),
        })}
        send={async ({ name, password }) => {
          await portalCall('POST', '/portal/sign-in', { name: name.trim(), password });
          await refresh();
        }}
      />
      {info.passkeysEnabled && <Form submission={byPasskey} action="Sign in with a passkey" kind="plain" />}
      {info.companyName !== null && (
        <p>
          <a
            class="button plain"
            href={`/portal/company/start${next === null ? '' : `?next=${encodeURIComponent(next)}`}`}
          >
            Sign in with {info.companyName}
          </a>
        </p>
      )}
      <p class="quiet">
        <a href="/recover">You cannot sign in?</a>
        {info.signUp !== 'closed' && (
          <>
            {' '}
            No account yet? <a href={signUp}>Sign up</a>
          </>
        )}
      </p>
    </>
  );
}
