export { testDatabase, type TestDatabase } from './postgres.ts';
