import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { toCallError } from '../base/call-error.ts';
import { assignError } from './place-error.ts';

export interface SubmissionOptions<F extends string> {
  /** By the service's names. */
  readonly fields: readonly F[];
  /** What errors of these codes are about. */
  readonly byCode?: Readonly<Record<string, NoInfer<F>>>;
  /** Faults that the service cannot find. */
  readonly check?: () => Partial<Record<NoInfer<F>, string>>;
  readonly send: () => Promise<void>;
}

export interface Submission<F extends string> {
  readonly form: RefObject<HTMLFormElement>;
  readonly isBusy: boolean;
  readonly errors: Partial<Record<F, string>>;
  /** Above the button. */
  readonly failure: string | null;
  readonly submit: () => void;
}

interface State<F extends string> {
  readonly isBusy: boolean;
  readonly errors: Partial<Record<F, string>>;
  readonly failure: string | null;
}

/** Sends a form. After a refusal the first field with an error gets the focus. */
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
