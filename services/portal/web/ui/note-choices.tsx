import { useState } from 'preact/hooks';
import type { NoteValue } from '../../src/pages/notes.ts';
import { noteOf, setNote } from '../base/notes.ts';
import { optionsOf, Segments } from './segments.tsx';

/** The choices of colors and times. The value `usual` is not stored. */
const CHOICES = {
  theme: { label: 'Colors', usual: 'system', options: optionsOf('system', 'light', 'dark') },
  times: {
    label: 'Times',
    usual: 'local',
    options: [
      { value: 'local', text: 'Local' },
      { value: 'utc', text: 'UTC' },
    ],
  },
} as const;

export function NoteChoice({ of, onChange }: { readonly of: keyof typeof CHOICES; readonly onChange?: () => void }) {
  const { label, usual, options } = CHOICES[of];
  const [chosen, setChosen] = useState<string>(noteOf(of) ?? usual);
  return (
    <Segments<string>
      showLabel
      label={label}
      value={chosen}
      options={options}
      onValue={(value) => {
        setChosen(value);
        setNote(of, value === usual ? null : (value as NoteValue<typeof of>));
        onChange?.();
      }}
    />
  );
}
