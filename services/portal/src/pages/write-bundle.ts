import { writeBundle } from './bundle.ts';

/** Bundles the browser code into the folder that the argument names, for an image. */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: write-bundle.ts FOLDER');
await writeBundle(folder);
