import { OnlySignedIn } from '../../data/people/only-signed-in.tsx';

/** Shown instead of the portfolio until the session is known, and to people who are signed out. */
export function SignInFirst() {
  return (
    <>
      <h1>Portfolio</h1>
      <OnlySignedIn>{() => null}</OnlySignedIn>
    </>
  );
}
