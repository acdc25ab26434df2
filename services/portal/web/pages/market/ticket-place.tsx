import { useSession } from '../../app/session.tsx';
import { OrderTicket } from './order-ticket.tsx';
import type { OrderTicketProps } from './order-ticket.tsx';

/** The order ticket, or a way to sign in. It has the ticket's place before the session is known. */
export function TicketPlace(props: OrderTicketProps) {
  const { info, person } = useSession();
  if (person !== null) return <OrderTicket {...props} />;
  return (
    <section class="card ticket" aria-labelledby="ticket-heading" aria-busy={info === null}>
      <h2 id="ticket-heading">Order</h2>
      {info !== null && info.reason !== null && <p>{info.reason}</p>}
      {info !== null && info.reason === null && (
        <>
          <p>Sign in to trade this market with simulated money.</p>
          <p class="actions">
            <a class="button main" href="/sign-in">
              Sign in
            </a>
            {info.signUp !== 'closed' && (
              <a class="button" href="/sign-up">
                Sign up
              </a>
            )}
          </p>
        </>
      )}
    </section>
  );
}
