import type { CancelledOrders } from '@paper/contracts/orders';
import type { z } from 'zod';
import { portalCall } from '../api/calls.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { countText } from '../../ui/format.ts';

export interface CancelAllDialogProps {
  readonly count: number;
  readonly marketId: string | undefined;
  readonly onEnd: (isChanged: boolean) => void;
}

export default function CancelAllDialog({ count, marketId, onEnd }: CancelAllDialogProps) {
  const query = marketId === undefined ? '' : `?marketId=${encodeURIComponent(marketId)}`;
  return (
    <ConfirmDialog
      title={`Cancel all ${countText(count)} open orders${marketId === undefined ? '' : ' of this market'}?`}
      action="Cancel them all"
      cancel="Keep orders"
      send={async () => {
        await portalCall<z.output<typeof CancelledOrders>>('DELETE', `/portal/as/me/orders${query}`);
        onEnd(true);
      }}
      onClose={() => onEnd(false)}
    >
      <p>What they reserve is free again at once. Shares that were traded stay traded.</p>
    </ConfirmDialog>
  );
}
