import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toCallError } from '../base/call-error.ts';
import { Button } from './button.tsx';
import type { ButtonProps } from './button.tsx';
import { Notice } from './notice.tsx';
import { assignError } from './place-error.ts';

export interface SubmissionOptions<F extends string> {
  /** The names of the form's fields, as in the service's errors. */
  readonly fields?: readonly F[];
  readonly byCode?: Readonly<Record<string, NoInfer<F>>>;
  readonly check?: () => Partial<Record<NoInfer<F>, string>>;
  readonly send: () => Promise<void>;
}

interface SubmissionState<F extends string> {
  readonly isBusy: boolean;
  readonly errors: Partial<Record<F, string>>;
  /** An error that concerns no field, shown above the button. */
  readonly failure: string | null;
}

/** Sends a form. After a refusal the first field with an error gets the focus. */
export function useSubmission<F extends string>({ fields = [], byCode, check, send }: SubmissionOptions<F>) {
  const form = useRef<HTMLFormElement>(null);
  const [state, setState] = useState<SubmissionState<F>>({ isBusy: false, errors: {}, failure: null });

  useEffect(() => {
    if (Object.keys(state.errors).length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [state.errors]);

  const run = async (call: () => Promise<void>, named: readonly F[] = [], codes: typeof byCode = {}): Promise<void> => {
    setState({ isBusy: true, errors: {}, failure: null });
    try {
      await call();
      setState({ isBusy: false, errors: {}, failure: null });
    } catch (error) {
      const { field, text } = assignError(toCallError(error), named, codes);
      const errors: Partial<Record<F, string>> = {};
      if (field !== null) errors[field] = text;
      setState({ isBusy: false, errors, failure: field === null ? text : null });
    }
  };
  const submit = (): void => {
    if (state.isBusy) return;
    const faults = check?.() ?? {};
    if (Object.keys(faults).length > 0) setState({ isBusy: false, errors: faults, failure: null });
    else void run(send, fields, byCode);
  };
  /** Runs another call than that of the form; its error concerns no field. */
  const submitOther = (call: () => Promise<void>): void => {
    if (!state.isBusy) void run(call);
  };
  return { ...state, form, submit, submitOther };
}

export interface FormProps {
  readonly label?: string;
  readonly submission: Omit<ReturnType<typeof useSubmission>, 'errors'>;
  readonly action: string;
  readonly kind?: ButtonProps['kind'];
  readonly disabled?: boolean;
  readonly children?: ComponentChildren;
  /** A second button, which does not send the fields. */
  readonly alternative?: { readonly action: string; readonly send: () => Promise<void> } | null;
  readonly more?: ComponentChildren;
  readonly cancel?: string;
  readonly onCancel?: () => void;
}

/** A form that is sent by script and checked by the service: the browser's own validation messages are off. */
export function Form({ action, label = action, submission, kind = 'main', ...props }: FormProps) {
  const { form, isBusy, failure, submit, submitOther } = submission;
  const { disabled = false, children, alternative = null, more, cancel = 'Cancel', onCancel } = props;
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
        <Button type="submit" kind={kind} isBusy={isBusy} disabled={disabled}>
          {action}
        </Button>
        {alternative !== null && (
          <Button isBusy={isBusy} onClick={() => submitOther(alternative.send)}>
            {alternative.action}
          </Button>
        )}
        {more}
        {onCancel !== undefined && (
          <Button kind="quiet" onClick={onCancel}>
            {cancel}
          </Button>
        )}
      </div>
    </form>
  );
}
