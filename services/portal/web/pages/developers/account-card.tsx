import type { IssuedApiKeyBody, SubAccountBody } from '@paper/contracts/accounts';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { IssuedKey } from '../../data/fleet/issued-key.tsx';
import { KeyList } from '../../data/fleet/key-list.tsx';
import type { PortalKey } from '../../data/fleet/key-list.tsx';
import { MandateDialog } from '../../data/fleet/mandate-dialog.tsx';
import { NewKeyDialog } from '../../data/fleet/new-key-dialog.tsx';
import { RevokeButton } from '../../data/fleet/revoke-button.tsx';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Gain, Money } from '../../ui/figures.tsx';
import { Section } from '../../ui/section.tsx';
import { CloseButton } from './close-button.tsx';

/** The keys of an account; `made` is the one that was just made, while it is shown. */
export interface AccountKeysProps {
  readonly keys: readonly PortalKey[];
  readonly made: IssuedApiKeyBody | null;
  readonly onMade: (apiKey: IssuedApiKeyBody | null) => void;
  readonly onChange: () => void;
}

export interface AccountCardProps extends AccountKeysProps {
  readonly account: { readonly id: string; readonly displayName: string };
  readonly title: string;
  /** The amounts of a sub-account; null for the main account, whose amounts are on the page Portfolio. */
  readonly figures: Pick<SubAccountBody, 'cash' | 'closed' | 'portfolioValue' | 'pnl'> | null;
}

export function AccountCard({ account, title, figures, keys, made, onMade, onChange }: AccountCardProps) {
  const { id, displayName: name } = account;
  const isClosed = figures?.closed === true;
  const [isMaking, setIsMaking] = useState(false);
  const [limited, setLimited] = useState<PortalKey | null>(null);
  return (
    <Section title={isClosed ? `${title} (closed)` : title}>
      {figures !== null && (
        <Facts
          as="facts"
          of={{
            'Began with': <Money amount={figures.portfolioValue - figures.pnl} />,
            Cash: <Money amount={figures.cash} />,
            Equity: <Money amount={figures.portfolioValue} />,
            'Total P&L': <Gain amount={figures.pnl} />,
          }}
        />
      )}
      {made !== null && <IssuedKey key={made.id} apiKey={made} onStored={() => onMade(null)} />}
      {keys.length === 0 ? (
        <p>No key.</p>
      ) : (
        <KeyList
          label={`Keys of ${name}`}
          keys={keys}
          actions={(key) => (
            <>
              <Button label={`Limits of the key ${key.name} of ${name}`} onClick={() => setLimited(key)}>
                Limits
              </Button>
              <RevokeButton apiKey={key} accountName={name} onRevoked={onChange} />
            </>
          )}
        />
      )}
      <div class="actions">
        {!isClosed && (
          <Button label={`New key of ${name}`} onClick={() => setIsMaking(true)}>
            New key
          </Button>
        )}
        <Link class="button plain" href={figures === null ? '/portfolio' : `/portfolio/${encodeURIComponent(id)}`}>
          View the portfolio<span class="unseen"> of {name}</span>
        </Link>
        {figures !== null && !isClosed && <CloseButton account={account} onClosed={onChange} />}
      </div>
      {isMaking && (
        <NewKeyDialog
          accountId={id}
          accountName={name}
          onClose={() => setIsMaking(false)}
          onMade={(apiKey) => {
            setIsMaking(false);
            onMade(apiKey);
          }}
        />
      )}
      {limited !== null && (
        <MandateDialog
          apiKey={limited}
          onClose={() => setLimited(null)}
          onChanged={() => {
            setLimited(null);
            onChange();
          }}
        />
      )}
    </Section>
  );
}
