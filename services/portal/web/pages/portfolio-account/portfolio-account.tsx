import type { PageProps } from '../page-props.ts';
import { useSession } from '../../data/session/session.tsx';
import { AccountPortfolio } from '../portfolio/account-portfolio.tsx';
import { SignInFirst } from '../portfolio/sign-in-first.tsx';

/** The portfolio of one account of the person's fleet. */
export default function PortfolioOfAccount({ params }: PageProps) {
  const { person } = useSession();
  const accountId = params['accountId'] ?? '';
  if (person === null) return <SignInFirst />;
  return <AccountPortfolio accountId={accountId} isOwn={accountId === person.accountId} />;
}
