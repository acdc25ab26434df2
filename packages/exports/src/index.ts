export { exportJournal, type ExportOptions } from './export-journal.ts';
export { ExportRefused } from './export-folder.ts';
export { FORMATS, type Format } from './formats.ts';
export type { Manifest } from './manifest.ts';
