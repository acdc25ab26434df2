import { metricsParts } from './metrics.ts';
import type { GeneratedSection } from './made-part.ts';
import { readModelParts } from './read-models.ts';
import { settingsParts } from './settings.ts';
import { tableParts } from './tables.ts';
import { publicParts } from './what-is-public.ts';

export const generatedSections = (): readonly GeneratedSection[] => [
  ...publicParts(),
  ...tableParts(),
  ...metricsParts(),
  ...settingsParts(),
  ...readModelParts(),
];
