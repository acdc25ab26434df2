import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import type { ButtonProps } from './button.tsx';
import { Notice } from './notice.tsx';
import type { Submission } from './use-submission.ts';

export interface FormProps {
  /** The accessible name of the form. */
  readonly label: string;
  readonly submission: Pick<Submission<never>, 'form' | 'isBusy' | 'failure' | 'submit'>;
  /** The text of the button that sends the form. */
  readonly action: string;
  readonly kind?: ButtonProps['kind'];
  /** Whether the button is disabled. */
  readonly disabled?: boolean;
  /** The fields. */
  readonly children?: ComponentChildren;
  /** Further buttons, after the one that sends. */
  readonly more?: ComponentChildren;
}

/** A form that is sent by script. The service checks its fields, so the browser's own validation messages are off. */
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
