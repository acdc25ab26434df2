import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Field, Labeled } from '../../ui/field.tsx';
import type { FieldProps } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';

/** An input for a field of a command's body. */
export interface CommandInput extends Pick<FieldProps, 'inputMode' | 'label'> {
  readonly hint?: string;
  /** An empty input is left out of the body. */
  readonly isOptional?: boolean;
  /** Several lines, or a choice; default: one line. */
  readonly as?: 'lines' | readonly { readonly value: string; readonly text: string }[];
  /** Gives what stands below it, for its value. */
  readonly below?: (value: string) => ComponentChildren;
}

/** The values of a command's inputs, by name; without the empty ones that are optional. */
export type CommandValues<N extends string> = Readonly<Record<N, string>>;

export interface Command<N extends string> {
  /** The question or the title. */
  readonly title: string;
  /** Gives the text of the button that sends it. */
  action(values: CommandValues<N>): string;
  readonly kind?: 'danger';
  readonly cancel?: string;
  /** Says what it does. */
  readonly about?: ComponentChildren;
  /** The inputs by the names of the body's fields, in their order. */
  readonly inputs: Readonly<Record<N, CommandInput>>;
  /** What has to be typed before it, since it cannot be undone: the id of this thing. */
  readonly typed?: { readonly of: 'market' | 'account'; readonly id: string };
  /** Finds faults that the service cannot see. */
  check?(values: CommandValues<N>): Partial<Record<N, string>>;
  /** Carries it out, and gives the sentence to show after it. @throws CallError */
  send(values: CommandValues<N>): Promise<string>;
}

/** A command, whatever its inputs are. */
export type AnyCommand = Command<string>;

export interface CommandDialogProps {
  readonly command: AnyCommand;
  readonly onClose: () => void;
  /** Called after a success, with what has changed. */
  readonly onDone: (message: string) => void;
}

/** A dialog for a command of operators. The service judges its fields. */
export function CommandDialog({ command, onClose, onDone }: CommandDialogProps) {
  const { about, cancel = 'Cancel', inputs, kind = 'main', title, typed } = command;
  const named = Object.entries(inputs);
  const [all, setAll] = useState(() => Object.fromEntries(named.map(([name, { as }]) => [name, firstOf(as)])));
  const [typedId, setTypedId] = useState('');
  const values = Object.fromEntries(
    named.flatMap(([name, { isOptional }]) => {
      const value = all[name] ?? '';
      return isOptional === true && value === '' ? [] : [[name, value]];
    }),
  );
  const submission = useSubmission<string>({
    fields: [...named.map(([name]) => name), 'typed'],
    check: () => ({
      ...command.check?.(values),
      ...(typed === undefined || typedId.trim() === typed.id ? {} : { typed: `Type ${typed.id} to go on.` }),
    }),
    send: async () => onDone(await command.send(values)),
  });
  return (
    <Dialog title={title} onClose={onClose}>
      {about}
      <Form
        label={title}
        submission={submission}
        action={command.action(values)}
        kind={kind}
        more={<Button onClick={onClose}>{cancel}</Button>}
      >
        {named.map(([name, input]) => (
          <Input
            key={name}
            input={input}
            value={all[name] ?? ''}
            onValue={(value) => setAll((before) => ({ ...before, [name]: value }))}
            error={submission.errors[name]}
          />
        ))}
        {typed !== undefined && (
          <Field
            label={`Type the ${typed.of}'s id`}
            hint={
              <>
                <code class="hash">{typed.id}</code>. This cannot be undone.
              </>
            }
            autocomplete="off"
            spellcheck={false}
            value={typedId}
            onValue={setTypedId}
            error={submission.errors['typed']}
          />
        )}
      </Form>
    </Dialog>
  );
}

const firstOf = (as: CommandInput['as']): string => (typeof as === 'object' ? (as[0]?.value ?? '') : '');

interface InputProps extends Pick<FieldProps, 'error' | 'onValue' | 'value'> {
  readonly input: CommandInput;
}

function Input({
  input: { as, below, hint, inputMode, isOptional = false, label },
  error,
  onValue,
  value,
}: InputProps) {
  const shared = { label, error, hint: isOptional ? ['Optional', hint].filter(Boolean).join(': ') : hint };
  return (
    <>
      {as === undefined && (
        <Field {...shared} autocomplete="off" inputMode={inputMode} value={value} onValue={onValue} />
      )}
      {as === 'lines' && (
        <Labeled {...shared}>
          {(names) => (
            <textarea {...names} rows={4} value={value} onInput={({ currentTarget }) => onValue(currentTarget.value)} />
          )}
        </Labeled>
      )}
      {typeof as === 'object' && <Choice {...shared} value={value} options={as} onValue={onValue} />}
      {below?.(value)}
    </>
  );
}
