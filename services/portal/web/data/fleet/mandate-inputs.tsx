import { Check } from '../../ui/check.tsx';
import { Field, Labeled } from '../../ui/field.tsx';
import { NUMBER_FIELDS } from './mandate-form.ts';
import type { MandateErrors, MandateFields } from './mandate-form.ts';

const CHECKS = [
  ['reduceOnly', 'Sells only'],
  ['onlyMarkets', 'Only in certain markets'],
] as const;

export interface MandateInputsProps {
  readonly fields: MandateFields;
  readonly onFields: (fields: MandateFields) => void;
  readonly errors: MandateErrors;
}

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
      {CHECKS.map(([name, text]) => (
        <Check key={name} isOn={fields[name]} onChange={(isOn) => onFields({ ...fields, [name]: isOn })}>
          {text}
        </Check>
      ))}
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
