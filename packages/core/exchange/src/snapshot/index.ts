export { TABLE_ROWS_MAX, TextColumn, textsOf, type Table, type Texts } from '../state/packed.ts';
export { Restoration } from './restoration.ts';
export { SNAPSHOT_VERSION, type MarketFields, type SnapshotTable } from './tables.ts';
export { snapshot } from './take.ts';
