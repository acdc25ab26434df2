import { Field } from '../../ui/field.tsx';

export interface TypedIdProps {
  /** The kind of thing that has the id. */
  readonly of: 'market' | 'account';
  readonly id: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | undefined;
}

/** A field for an id, typed by hand before what cannot be undone. */
export function TypedId({ of, id, value, onValue, error }: TypedIdProps) {
  return (
    <Field
      label={`Type the ${of}'s id`}
      hint={
        <>
          <code class="hash">{id}</code>. This cannot be undone.
        </>
      }
      autocomplete="off"
      spellcheck={false}
      value={value}
      onValue={onValue}
      error={error}
    />
  );
}

/** The fault of a typed id; an empty object: none. */
export function typedIdFault(id: string, typed: string): { readonly typed?: string } {
  return typed.trim() === id ? {} : { typed: `Type ${id} to go on.` };
}
