import { writeClientFiles } from './client-files.ts';

/** Builds the packages of the clients into the folder that the argument names. */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: write.ts FOLDER');
await writeClientFiles(folder);
