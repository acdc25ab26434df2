import { useSession, useWayBack } from '../../data/session/session.tsx';

export const PAYOUT = 'The right outcome pays $1 a share.';

export function TicketEntry({ to }: { readonly to: string }) {
  const { info } = useSession();
  const { signIn, signUp } = useWayBack(to);
  if (info === null || info.reason !== null) return <p>{info?.reason}</p>;
  return (
    <div class="ticket-row">
      {info.signUp !== 'closed' && (
        <a class="button main" href={signUp}>
          Sign up to trade
        </a>
      )}
      <a class={info.signUp === 'closed' ? 'button main' : 'button'} href={signIn}>
        Sign in
      </a>
    </div>
  );
}
