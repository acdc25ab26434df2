import { metricsSections } from './metrics.ts';
import type { GeneratedSection } from './generated-section.ts';
import { readModelSections } from './read-models.ts';
import { settingsSections } from './settings.ts';
import { tableSections } from './tables.ts';
import { publicSections } from './what-is-public.ts';

export const generatedSections = (): readonly GeneratedSection[] => [
  ...publicSections(),
  ...tableSections(),
  ...metricsSections(),
  ...settingsSections(),
  ...readModelSections(),
];
