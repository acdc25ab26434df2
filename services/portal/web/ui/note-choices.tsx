import { useState } from 'preact/hooks';
import { noteOf, setNote } from '../base/notes.ts';
import { Segments } from './segments.tsx';

const THEMES = [
  { value: 'system', text: 'System' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
] as const;

/** The colors of the pages in this browser. */
export function ThemeChoice() {
  const [theme, setTheme] = useState<(typeof THEMES)[number]['value']>(noteOf('theme') ?? 'system');
  return (
    <Segments
      label="Colors"
      value={theme}
      options={THEMES}
      onValue={(value) => {
        setTheme(value);
        setNote('theme', value === 'system' ? null : value);
      }}
    />
  );
}

const ZONES = [
  { value: 'local', text: 'Local' },
  { value: 'utc', text: 'UTC' },
] as const;

/** The zone of all times in this browser. */
export function TimesChoice({ onChange }: { readonly onChange: () => void }) {
  const [zone, setZone] = useState<(typeof ZONES)[number]['value']>(noteOf('times') ?? 'local');
  return (
    <Segments
      label="Times"
      value={zone}
      options={ZONES}
      onValue={(value) => {
        setZone(value);
        setNote('times', value === 'utc' ? value : null);
        onChange();
      }}
    />
  );
}
