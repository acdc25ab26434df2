export { clientFiles, writeClientFiles, type ClientFile, verifyJournal } from './client-files.ts';
