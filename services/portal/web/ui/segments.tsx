import { capitalized } from './format.ts';
import { useUniqueId } from './use-unique-id.ts';

export interface SegmentsProps<V extends string> {
  readonly label: string;
  /** Default: only screen readers get the label. */
  readonly showLabel?: boolean;
  readonly value: V;
  /** `note`: a figure below the text, which screen readers skip since the page has it elsewhere. */
  readonly options: readonly { readonly value: V; readonly text: string; readonly note?: string }[];
  readonly onValue: (value: V) => void;
}

export function Segments<V extends string>({ label, showLabel, value, options, onValue }: SegmentsProps<V>) {
  const name = useUniqueId();
  return (
    <fieldset class="segments">
      <legend class={showLabel === true ? undefined : 'unseen'}>{label}</legend>
      <div class="segments-row">
        {options.map((option) => (
          <label key={option.value} data-value={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValue(option.value)}
            />
            <span>
              {option.text}
              {option.note !== undefined && (
                <small class="number" aria-hidden="true">
                  {option.note}
                </small>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Options that show their values with a capital first letter. */
export function optionsOf<V extends string>(...values: readonly V[]) {
  return values.map((value) => ({ value, text: capitalized(value) }));
}
