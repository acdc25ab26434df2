import { OnlySignedIn } from '../../data/people/only-signed-in.tsx';

/** In the place of the portfolio until their session is known, and for visitors. */
export function SignInFirst() {
  return (
    <>
      <h1>Portfolio</h1>
      <OnlySignedIn>{() => null}</OnlySignedIn>
    </>
  );
}
