import { Field } from '../../ui/field.tsx';

export interface TypedIdProps {
  readonly marketId: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | undefined;
}

/** A field for the market's id, typed by hand before what cannot be undone. */
export function TypedId({ marketId, value, onValue, error }: TypedIdProps) {
  return (
    <Field
      label="Type the market's id"
      hint={
        <>
          <code class="hash">{marketId}</code>. This cannot be undone.
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
export function faultOfTypedId(marketId: string, typed: string): { readonly typed?: string } {
  return typed.trim() === marketId ? {} : { typed: `Type ${marketId} to go on.` };
}
