import { useEffect } from 'preact/hooks';
import { setNote } from '../../base/notes.ts';
import { useSession, useWayBack } from '../../data/session/session.tsx';
import { Link } from 'wouter-preact';

/** Introduces the service. Every first paint has it; the style sheet hides it in browsers that have been here. */
export function Welcome() {
  const { info, person } = useSession();
  const { signIn, signUp } = useWayBack();
  // The next page that is loaded omits the text; this page keeps it.
  useEffect(() => setNote('seen', 'yes', { inThisPage: false }), []);
  if (person !== null) return null;
  return (
    <section class="welcome" aria-label="What this is">
      <p class="welcome-line">Trade yes/no markets with $10,000 of simulated money, by hand or with a bot.</p>
      <ol>
        <li>Sign up</li>
        <li>Choose a market</li>
        <li>
          Buy Yes or No<span class="wide">; a share pays $1 if you are right</span>
        </li>
      </ol>
      <p class="actions">
        {info?.signUp !== 'closed' && (
          <a class="button main" href={signUp}>
            Sign up
          </a>
        )}
        <a class="button quiet" href={signIn}>
          Sign in
        </a>
        <Link class="button quiet" href="/help">
          How it works
        </Link>
      </p>
    </section>
  );
}
