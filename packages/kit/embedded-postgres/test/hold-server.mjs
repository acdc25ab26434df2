/**
 * Runs the server of a data folder in a separate process, by the module of argv[3], reports it on stdout, and waits
 * until the spec kills it.
 */
const [dataDir, module] = process.argv.slice(2);
if (dataDir === undefined || module === undefined) throw new Error('a data folder and a module are needed');
const { startEmbeddedPostgres } = await import(module);
const { connectionString, pid } = await startEmbeddedPostgres({ dataDir });
process.stdout.write(`${JSON.stringify({ connectionString, pid })}\n`);
setInterval(() => undefined, 60_000);
