import { builtServices } from './built-services.mjs';

/**
 * Builds the programs that end-to-end tests start (packages/testkit), outside any test's time limit, and puts their
 * folder into PAPER_BUILT. Ends this process if the build fails.
 */
export async function buildForTests(root) {
  const folder = await builtServices(root);
  if (folder === null) process.exit(1);
  process.env.PAPER_BUILT = folder;
}
