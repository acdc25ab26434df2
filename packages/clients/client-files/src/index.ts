export { clientFiles, writeClientFiles, type ClientFile } from './client-files.ts';
