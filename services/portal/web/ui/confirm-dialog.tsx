import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import type { ButtonProps } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';
import { useSubmission } from './use-submission.ts';

export interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly action: string;
  readonly kind?: ButtonProps['kind'];
  readonly keep?: string;
  readonly disabled?: boolean;
  readonly send: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before a change that cannot be undone. */
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
