import type { ComponentChildren } from 'preact';

type CheckProps = Readonly<{ isOn: boolean; onChange: (isOn: boolean) => void; children: ComponentChildren }>;

export function Check({ isOn, onChange, children }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {children}
    </label>
  );
}
