export { createQuerySide, type QuerySide, type QuerySideSettings } from './query-side.ts';
