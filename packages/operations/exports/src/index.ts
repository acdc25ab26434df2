export type { Columns } from './columns.ts';
export { exportJournal, type ExportOptions } from './export-journal.ts';
export { ExportRefused } from './export-folder.ts';
export {
  exportJournalFiles,
  type JournalFile,
  type JournalFilesOptions,
  type JournalManifest,
} from './export-journal-files.ts';
export { FORMATS, type Format } from './formats.ts';
export type { Manifest } from './manifest.ts';
export { TABLE_NAMES, TABLES, type TableName } from './tables.ts';
