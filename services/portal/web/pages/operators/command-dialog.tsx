import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldsForm } from '../../ui/fields-form.tsx';
import type { FormField } from '../../ui/fields-form.tsx';

/** The values of a command's inputs, by name. Empty optional inputs are left out. */
export type CommandValues<N extends string> = Readonly<Record<N, string>>;

export interface Command<N extends string> {
  /** The question or the title. */
  readonly title: string;
  /** Returns the text of the button that sends the command. */
  action(values: CommandValues<N>): string;
  readonly kind?: 'danger';
  readonly cancel?: string;
  /** Describes the command. */
  readonly about?: ComponentChildren;
  /** The inputs by the names of the body's fields, in their order. */
  readonly inputs: Readonly<Record<N, FormField>>;
  /** The thing whose id the operator must type first, since the command cannot be undone. */
  readonly typed?: { readonly of: 'market' | 'account'; readonly id: string };
  /** Finds faults that the service cannot see. */
  check?(values: CommandValues<N>): Partial<Record<N, string>>;
  /**
   * Sends the command, and returns the sentence to show after it.
   * @throws CallError
   */
  send(values: CommandValues<N>): Promise<string>;
}

/** A command with any inputs. */
export type AnyCommand = Command<string>;

export interface CommandDialogProps {
  readonly command: AnyCommand;
  readonly onClose: () => void;
  /** Called after a success, with a sentence about the change. */
  readonly onDone: (message: string) => void;
}

/** A dialog for a command of operators. The service judges its fields. */
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
        action={(values) => command.action(values)}
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
