export const OUTCOMES = [
  { value: 'yes', text: 'Yes' },
  { value: 'no', text: 'No' },
] as const;
