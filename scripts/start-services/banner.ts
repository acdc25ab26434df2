import { join } from 'node:path';
import type { ServiceProcess } from '@paper/supervisor';

/** The text for the terminal when the services are ready. Scripts also read its first line. */
export function banner(
  baseUrl: string,
  services: readonly Pick<ServiceProcess, 'name' | 'operationUrl'>[],
  { dataDir, journal, publicUrl }: Readonly<Record<'dataDir' | 'journal' | 'publicUrl', string>>,
): string {
  return [
    `Ready at ${baseUrl}`,
    '',
    `  In a browser    ${publicUrl}/  (the API: ${baseUrl}/api/docs)`,
    `  Operator token  in ${join(dataDir, 'service.json')}`,
    `  Journal         ${journal}`,
    ...services.map(({ name, operationUrl }) => `  ${name.padEnd(15)} ${operationUrl}/metrics`),
    '',
    'Does it serve?',
    '',
    `  curl -s ${baseUrl}/api/health`,
    '',
    'How is each process, and how is one started anew?',
    '',
    '  npm run services -- status',
    '  npm run services -- restart query-api-1',
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}
