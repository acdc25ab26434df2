import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { toCallError } from '../base/call-error.ts';
import { assignError } from './place-error.ts';

export interface SubmissionOptions<F extends string> {
  /** The form's fields, by the names that the service gives them. */
  readonly fields: readonly F[];
  /** The field that an error of this code is about. */
  readonly byCode?: Readonly<Record<string, NoInfer<F>>>;
  /** Finds faults that the service cannot see, by field; an empty object: none. */
  readonly check?: () => Partial<Record<NoInfer<F>, string>>;
  /** Sends the form. What it throws is shown. */
  readonly send: () => Promise<void>;
}

/** The state of a form that is sent, fails in the service's own words, or succeeds. */
export interface Submission<F extends string> {
  readonly form: RefObject<HTMLFormElement>;
  readonly isBusy: boolean;
  /** Errors beside the fields. */
  readonly errors: Partial<Record<F, string>>;
  /** Above the button: an error of no field. */
  readonly failure: string | null;
  readonly submit: () => void;
}

interface State<F extends string> {
  readonly isBusy: boolean;
  readonly errors: Partial<Record<F, string>>;
  readonly failure: string | null;
}

/** Sends a form. After a refusal the first field with an error has the focus, so that it can be corrected at once. */
export function useSubmission<F extends string>({
  fields,
  byCode = {},
  check,
  send,
}: SubmissionOptions<F>): Submission<F> {
  const form = useRef<HTMLFormElement>(null);
  const [state, setState] = useState<State<F>>({ isBusy: false, errors: {}, failure: null });

  useEffect(() => {
    if (Object.keys(state.errors).length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [state.errors]);

  const run = async (): Promise<void> => {
    const faults = check?.() ?? {};
    if (Object.keys(faults).length > 0) {
      setState({ isBusy: false, errors: faults, failure: null });
      return;
    }
    setState({ isBusy: true, errors: {}, failure: null });
    try {
      await send();
      setState({ isBusy: false, errors: {}, failure: null });
    } catch (error) {
      const { field, text } = assignError(toCallError(error), fields, byCode);
      const errors: Partial<Record<F, string>> = {};
      if (field !== null) errors[field] = text;
      setState({ isBusy: false, errors, failure: field === null ? text : null });
    }
  };
  return {
    ...state,
    form,
    submit: () => {
      if (!state.isBusy) void run();
    },
  };
}
