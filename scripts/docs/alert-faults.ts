import { ALERT_FAULTS } from '@paper/chaos';
import type { ExpectedAlert } from '@paper/chaos';
import { table } from './made-part.ts';
import type { GeneratedSection } from './made-part.ts';

/** The table of faults and alerts in docs/operate/operations.md. */
export function alertParts(): readonly GeneratedSection[] {
  const rows = ALERT_FAULTS.map(({ causes, heldBack, what }) => [
    what,
    causes.length === 0 ? 'none' : causes.map(described).join(', '),
    heldBack.map((name) => `\`${name}\``).join(', '),
  ]);
  return [
    {
      file: 'docs/operate/operations.md',
      name: 'faults and alerts',
      text: table(['fault', 'the alert that is notified of', 'may fire besides, and is held back'], rows),
    },
  ];
}

const described = ({ alert, job }: ExpectedAlert): string =>
  job === undefined ? `\`${alert}\`` : `\`${alert}\` of \`${job}\``;
