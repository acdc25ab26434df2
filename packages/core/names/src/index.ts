export {
  ErasureLog,
  noteErasures,
  withErasureLog,
  readErasures,
  defaultBackupDir,
  type ErasureLogOptions,
} from './erasure-log.ts';
export { KeyUses, noteKeyUses } from './key-uses.ts';
export { createMemoryNames, type MemoryName } from './memory-names.ts';
export { keyTextOf, type NameKey, type NameStore } from './name-store.ts';
export { ensureNameTables, createNameTables } from './names-table.ts';
export { openNames } from './postgres-names.ts';
