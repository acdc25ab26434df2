import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldsForm } from '../../ui/fields-form.tsx';
import type { FormField } from '../../ui/fields-form.tsx';

/** The values of a command's inputs, without empty optional ones. */
export type CommandValues<N extends string> = Readonly<Record<N, string>>;

export interface Command<N extends string> {
  readonly title: string;
  readonly action: string | ((values: CommandValues<string>) => string);
  readonly kind?: 'danger';
  readonly cancel?: string;
  readonly about?: ComponentChildren;
  readonly inputs: Readonly<Record<N, FormField>>;
  /** The id that the operator must type first, since the command cannot be undone. */
  readonly typed?: { readonly of: 'market' | 'account'; readonly id: string };
  check?(values: CommandValues<N>): Partial<Record<N, string>>;
  /** Sends the command, and returns a sentence about its result. Throws CallError. */
  send(values: CommandValues<N>): Promise<string>;
}

export type AnyCommand = Command<string>;

type CommandDialogProps = Readonly<{ command: AnyCommand; onClose: () => void; onDone: (message: string) => void }>;

export function CommandDialog({ command, onClose, onDone }: CommandDialogProps) {
  const { about, cancel = 'Cancel', kind = 'main', title, typed } = command;
  const inputs: Readonly<Record<string, FormField>> =
    typed === undefined
      ? command.inputs
      : {
          ...command.inputs,
          typed: {
            label: `Type the ${typed.of}'s id`,
            hint: (
              <>
                <code class="hash">{typed.id}</code>. This cannot be undone.
              </>
            ),
            spellcheck: false,
          },
        };
  return (
    <Dialog title={title} onClose={onClose}>
      {about}
      <FieldsForm
        label={title}
        action={command.action}
        kind={kind}
        fields={Object.fromEntries(
          Object.entries(inputs).map(([name, input]) => [name, { autocomplete: 'off', ...input } as const]),
        )}
        check={(values) => ({
          ...command.check?.(values),
          ...(typed === undefined || values['typed']?.trim() === typed.id
            ? {}
            : { typed: `Type ${typed.id} to go on.` }),
        })}
        send={async ({ typed: _typed, ...values }) => onDone(await command.send(values))}
        more={<Button onClick={onClose}>{cancel}</Button>}
        isKept
      />
    </Dialog>
  );
}
