import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import type { ButtonProps } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';
import { useSubmission } from './use-submission.ts';

export interface ConfirmDialogProps {
  readonly title: string;
  /** What happens, and what stays. */
  readonly children: ComponentChildren;
  /** The text of the button that does it. */
  readonly action: string;
  readonly kind?: ButtonProps['kind'];
  /** The text of the button that does not. */
  readonly keep?: string;
  readonly disabled?: boolean;
  /** What it throws is shown. */
  readonly send: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before a change that cannot be taken back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, kind = 'danger', keep = 'Cancel', disabled = false, send, onClose } = props;
  const submission = useSubmission({ fields: [], send });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Form
        label={action}
        submission={submission}
        action={action}
        kind={kind}
        disabled={disabled}
        more={
          <Button kind="quiet" onClick={onClose}>
            {keep}
          </Button>
        }
      />
    </Dialog>
  );
}
