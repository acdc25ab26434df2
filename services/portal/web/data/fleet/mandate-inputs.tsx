import { Field, Labeled } from '../../ui/field.tsx';
import { NUMBER_FIELDS } from './mandate-form.ts';
import type { MandateErrors, MandateFields } from './mandate-form.ts';

export interface MandateInputsProps {
  readonly fields: MandateFields;
  readonly onFields: (fields: MandateFields) => void;
  readonly errors: MandateErrors;
}

/** The inputs of a mandate: limits that the exchange holds a key to. */
export function MandateInputs({ fields, onFields, errors }: MandateInputsProps) {
  return (
    <>
      <div class="field-grid">
        {NUMBER_FIELDS.map(({ name, label, hint, isMoney }) => (
          <Field
            key={name}
            label={label}
            hint={hint}
            inputMode={isMoney ? 'decimal' : 'numeric'}
            placeholder="no limit"
            autocomplete="off"
            value={fields[name]}
            onValue={(value) => onFields({ ...fields, [name]: value })}
            error={errors[name]}
          />
        ))}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={fields.reduceOnly}
          onChange={({ currentTarget }) => onFields({ ...fields, reduceOnly: currentTarget.checked })}
        />
        Sells only
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={fields.onlyMarkets}
          onChange={({ currentTarget }) => onFields({ ...fields, onlyMarkets: currentTarget.checked })}
        />
        Only in certain markets
      </label>
      {fields.onlyMarkets && (
        <Labeled
          label="Ids of these markets"
          hint="One a line, at most 100. With none, the key may trade in no market."
          error={errors.marketIds}
        >
          {(names) => (
            <textarea
              {...names}
              rows={3}
              spellcheck={false}
              value={fields.marketIds}
              onInput={({ currentTarget }) => onFields({ ...fields, marketIds: currentTarget.value })}
            />
          )}
        </Labeled>
      )}
    </>
  );
}
