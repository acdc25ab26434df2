import type { MarketBody } from '@paper/contracts/markets';
import { useSession } from '../../data/session/session.tsx';
import { late } from '../../base/late.tsx';
import { OUTCOME_NAMES, priceText } from '../../ui/format.ts';
import { costOf } from './cost-of.ts';
import type { OrderTicketProps } from './order-ticket.tsx';

const OrderTicket = late(
  () => import('./order-ticket.tsx'),
  <section class="card ticket" aria-label="Order" aria-busy />,
);

export interface TicketPlaceProps extends Omit<OrderTicketProps, 'accountId'> {
  readonly market: OrderTicketProps['market'] & Pick<MarketBody, 'id'>;
}

/** The order ticket, or links to sign in. The ticket's space is reserved before the session is known. */
export function TicketPlace(props: TicketPlaceProps) {
  const { market, quotes } = props;
  const { info, person } = useSession();
  if (person !== null) return <OrderTicket {...props} accountId={person.accountId} />;
  const isOffered = info?.reason === null;
  return (
    <section class="card ticket" aria-labelledby="ticket-heading">
      <h2 id="ticket-heading">Order</h2>
      <div class="offers">
        <Offer name="yes" price={costOf('yes', 'buy', quotes)} />
        <Offer name="no" price={costOf('no', 'buy', quotes)} />
      </div>
      <p class="quiet">A share of the right outcome pays $1.00. Trading is with simulated money.</p>
      <div class="ticket-entry" aria-busy={info === null}>
        {info !== null && info.reason !== null && <p>{info.reason}</p>}
        {isOffered && (
          <a class="button main" href={`/sign-in?next=${encodeURIComponent(`/markets/${market.id}`)}`}>
            Sign in to trade
          </a>
        )}
        {isOffered && info.signUp !== 'closed' && (
          <a class="button" href="/sign-up">
            Sign up
          </a>
        )}
      </div>
    </section>
  );
}

/** The price of a share now. */
function Offer({ name, price }: { readonly name: 'yes' | 'no'; readonly price: number | null }) {
  return (
    <p class={`offer ${name}`}>
      Buy {OUTCOME_NAMES[name]} <strong class="number">{priceText(price)}</strong>
    </p>
  );
}
