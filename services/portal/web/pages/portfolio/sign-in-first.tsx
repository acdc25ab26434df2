import { OnlySignedIn } from '../../data/people/only-signed-in.tsx';

/** In place of the portfolio until the session is known, and for people who are signed out. */
export function SignInFirst() {
  return (
    <>
      <h1>Portfolio</h1>
      <OnlySignedIn>{() => null}</OnlySignedIn>
    </>
  );
}
