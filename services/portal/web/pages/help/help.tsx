import { Link } from 'wouter-preact';
import { Section } from '../../ui/section.tsx';

export default function Help() {
  return (
    <div class="help">
      <h1>How it works</h1>
      <p>
        Here you trade yes/no questions about the future with simulated money. Every account begins with $10,000 of it.
        Nothing is real money: it cannot be paid in, paid out or won.
      </p>
      <Section title="A market">
        <p>
          A market asks one question that ends with Yes or No. A share of the right outcome pays $1, one of the other
          pays nothing. So the price of a Yes share is what the traders together think the chance is: at $0.37 it is
          about 37%.
        </p>
        <ol>
          <li>
            <Link href="/">Choose a market</Link>, and press its Yes or No.
          </li>
          <li>Type how much you want to spend. The ticket says how many shares that buys, and what they pay.</li>
          <li>Buy. Your shares are in your portfolio, where you can sell them at any time before the market ends.</li>
        </ol>
        <p>
          A market order trades at once, at the best prices that others offer. A limit order waits in the book until
          somebody takes your price; until then it can be changed or cancelled. Money that an open order needs is
          reserved, and free again when the order ends.
        </p>
      </Section>
      <Section title="What No costs">
        <p>
          A Yes and a No together always pay $1, so they cost about $1 together. If Yes can be sold at $0.34, No costs
          $0.66. If you think that the chance is too high, buy No: you gain when the answer is No, or when the chance
          falls and you sell.
        </p>
        <p>
          An example: 10 No at $0.66 cost $6.60. If the answer is No, they pay $10.00, and you have gained $3.40. If it
          is Yes, you have lost the $6.60, and never more.
        </p>
      </Section>
      <Section title="Fees">
        <p>There are none: not for trading, not for holding, not when a market pays.</p>
      </Section>
      <Section title="Who decides an outcome">
        <p>
          Each market names the source that decides it, and when it closes. After that an operator of this service
          settles it by that source, and the settlement with its citation stands in the public journal. Where a question
          cannot be answered, the market is void: each Yes then pays a price that the operator gives, and each No the
          rest of the dollar.
        </p>
        <p>
          You do not have to trust the service with your trades: <Link href="/proof">your browser can check them</Link>{' '}
          against the journal.
        </p>
      </Section>
      <Section title="What a bot needs">
        <p>
          A key, which you make at <Link href="/developers">Developers</Link> when you are signed in, and the{' '}
          <a href="/api/docs">API</a>, which can do all that these pages can. Give each program a sub-account with money
          and limits of its own.
        </p>
      </Section>
      <Section title="Keys">
        <p>
          <kbd>/</kbd> searches the markets, and <kbd>?</kbd> shows all keys. Everything can be done without a mouse.
        </p>
      </Section>
    </div>
  );
}
