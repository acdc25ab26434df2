import { OnlySignedIn } from '../../data/people/only-signed-in.tsx';
import { useSession } from '../../data/session/session.tsx';
import type { PageProps } from '../page-props.ts';
import { AccountPortfolio } from './account-portfolio.tsx';

/** The portfolio of the signed-in person, or of the sub-account in the path. */
export default function Portfolio({ params: { accountId } }: PageProps) {
  const { person } = useSession();
  if (person === null) {
    return (
      <>
        <h1>Portfolio</h1>
        <OnlySignedIn>{() => null}</OnlySignedIn>
      </>
    );
  }
  const shown = accountId ?? person.accountId;
  return <AccountPortfolio accountId={shown} isOwn={shown === person.accountId} />;
}
