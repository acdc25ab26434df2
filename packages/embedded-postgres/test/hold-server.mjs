/** Runs the server of argv[2] in a process of its own, reports it on stdout, and waits until the spec kills it. */
import { startEmbeddedPostgres } from '../src/index.ts';

const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('a data folder is needed');
const { connectionString, pid } = await startEmbeddedPostgres({ dataDir });
process.stdout.write(`${JSON.stringify({ connectionString, pid })}\n`);
setInterval(() => undefined, 60_000);
