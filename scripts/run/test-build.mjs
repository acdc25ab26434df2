import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';

/**
 * Builds the programs that end-to-end tests start, outside any test's time limit, and puts their folder into
 * PAPER_BUILT. Ends this process if the build fails.
 */
export async function buildForTests(root) {
  if (process.env.PAPER_BUILT !== undefined) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-built-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const code = await build(root, [folder]);
  if (code !== 0) process.exit(code);
  process.env.PAPER_BUILT = folder;
}
