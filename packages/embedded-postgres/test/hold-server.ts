/** Started by the spec as a process of its own: runs the server of argv[2], says so on stdout, and waits for its kill. */
import { startEmbeddedPostgres } from '../src/index.ts';

const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('a data folder is needed');
const { connectionString, pid } = await startEmbeddedPostgres({ dataDir });
process.stdout.write(`${JSON.stringify({ connectionString, pid })}\n`);
setInterval(() => undefined, 60_000);
