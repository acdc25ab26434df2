import { useSession } from '../../data/session/session.tsx';
import { AccountPortfolio } from './account-portfolio.tsx';
import { SignInFirst } from './sign-in-first.tsx';

/** The portfolio of the person who is signed in. */
export default function Portfolio() {
  const { person } = useSession();
  if (person === null) return <SignInFirst />;
  return <AccountPortfolio accountId={person.accountId} isOwn />;
}
