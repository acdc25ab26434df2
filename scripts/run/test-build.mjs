import { builtServices } from './built-services.mjs';

/** Builds the programs that end-to-end tests start, puts their folder into PAPER_BUILT, or exits if that fails. */
export async function buildForTests(root) {
  const folder = await builtServices(root);
  if (folder === null) process.exit(1);
  process.env.PAPER_BUILT = folder;
}
