import { alertParts } from './alert-faults.ts';
import { reasonParts } from './cancel-reasons.ts';
import { nameParts } from './client-names.ts';
import { commandParts } from './commands.ts';
import { exportColumnSections } from './export-columns.ts';
import { errorParts } from './error-codes.ts';
import { metricsParts } from './metrics.ts';
import type { GeneratedSection } from './made-part.ts';
import { readModelParts } from './read-models.ts';
import { settingsParts } from './settings.ts';
import { publicParts } from './what-is-public.ts';

export const generatedSections = (): readonly GeneratedSection[] => [
  ...publicParts(),
  ...errorParts(),
  ...nameParts(),
  ...reasonParts(),
  ...metricsParts(),
  ...alertParts(),
  ...settingsParts(),
  ...readModelParts(),
  ...exportColumnSections(),
  ...commandParts(),
];
