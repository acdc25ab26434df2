import type { MarketBody } from '@paper/contracts';
import { useSession } from '../../app/session.tsx';
import { Price } from '../../ui/figures.tsx';
import { OrderTicket } from './order-ticket.tsx';
import type { OrderTicketProps } from './order-ticket.tsx';

export interface TicketPlaceProps extends Omit<OrderTicketProps, 'accountId'> {
  readonly market: OrderTicketProps['market'] & Pick<MarketBody, 'bestYesAsk' | 'bestNoAsk'>;
}

/** The order ticket, or a way to sign in. It has the ticket's place before the session is known. */
export function TicketPlace(props: TicketPlaceProps) {
  const { market } = props;
  const { info, person } = useSession();
  if (person !== null) return <OrderTicket {...props} accountId={person.accountId} />;
  return (
    <section class="card ticket" aria-labelledby="ticket-heading" aria-busy={info === null}>
      <h2 id="ticket-heading">Order</h2>
      {info !== null && info.reason !== null && <p>{info.reason}</p>}
      {info !== null && info.reason === null && (
        <>
          <p>Sign in to trade this market with simulated money.</p>
          <Offer name="YES" price={market.bestYesAsk} />
          <Offer name="NO" price={market.bestNoAsk} />
          <p class="actions">
            <a class="button main" href={`/sign-in?next=${encodeURIComponent(`/markets/${market.id}`)}`}>
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

/** The price of a share now; nothing where there is none for sale. */
function Offer({ name, price }: { readonly name: string; readonly price: number | null }) {
  if (price === null) return null;
  return (
    <p class="offer">
      <strong>{name}</strong> costs <Price value={price} /> now and pays $1.00 if it is right.
    </p>
  );
}
