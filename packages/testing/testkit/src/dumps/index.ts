export { checkDump } from './check-dump.ts';
export { dump, type LevelDump, type MarketDump, type OrderDump, type StateDump, type ToolsDump } from './dump.ts';
export { ProjectedPicture } from './projected-picture.ts';
