import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import type { ButtonProps } from './button.tsx';
import { Notice } from './notice.tsx';
import type { Submission } from './use-submission.ts';

export interface FormProps {
  readonly label: string;
  readonly submission: Pick<Submission<never>, 'form' | 'isBusy' | 'failure' | 'submit'>;
  readonly action: string;
  readonly kind?: ButtonProps['kind'];
  readonly disabled?: boolean;
  readonly children?: ComponentChildren;
  /** Buttons after the one that sends. */
  readonly more?: ComponentChildren;
}

/** A form that is sent by script and checked by the service: the browser's own validation messages are off. */
export function Form({ label, submission, action, kind = 'main', disabled, children, more }: FormProps) {
  const { form, isBusy, failure, submit } = submission;
  return (
    <form
      ref={form}
      class="form"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
      {failure !== null && <Notice kind="error">{failure}</Notice>}
      <div class="actions">
        <Button type="submit" kind={kind} isBusy={isBusy} disabled={disabled === true}>
          {action}
        </Button>
        {more}
      </div>
    </form>
  );
}
