import type { ListedAccountBody } from '@paper/contracts';

/** What the dialog of an account gets. */
export interface AccountDialogProps {
  readonly account: ListedAccountBody;
  readonly onClose: () => void;
  /** Called after the change, with what to say about it. */
  readonly onDone: (said: string) => void;
}
