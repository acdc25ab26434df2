import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';
import { Form, useSubmission } from './form.tsx';
import type { FormProps } from './form.tsx';

export interface ConfirmDialogProps extends Pick<FormProps, 'action' | 'kind' | 'disabled' | 'cancel'> {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly send: () => Promise<void>;
  readonly onClose: () => void;
}

export function ConfirmDialog({ title, children, send, onClose, ...form }: ConfirmDialogProps) {
  const submission = useSubmission({ send });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Form kind="danger" {...form} submission={submission} onCancel={onClose} />
    </Dialog>
  );
}
