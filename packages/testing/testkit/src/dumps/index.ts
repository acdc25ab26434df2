export { checkDump } from './check-dump.ts';
export { dump, type LevelDump, type MarketDump, type StateDump } from './dump.ts';
export { ProjectedPicture } from './projected-picture.ts';
export { dumpTwin } from './twin-dump.ts';
