import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { filesBelow } from '../run/workspace.mjs';

describe('the files of the workspace', () => {
  it('are found without following links, which form cycles in node_modules and elsewhere', () => {
    const root = mkdtempSync(path.join(tmpdir(), 'workspace-'));
    try {
      for (const folder of ['packages/a/src/deep', 'packages/a/node_modules/@paper', 'services/b']) {
        mkdirSync(path.join(root, folder), { recursive: true });
      }
      const files = ['packages/a/src/deep/one.ts', 'packages/a/src/two.ts', 'services/b/three.ts'];
      for (const file of [...files, 'packages/a/node_modules/left.ts']) writeFileSync(path.join(root, file), '');
      symlinkSync(path.join(root, 'packages/a'), path.join(root, 'packages/a/node_modules/@paper/a'));
      symlinkSync(path.join(root, 'packages'), path.join(root, 'services/b/cycle'));
      expect(filesBelow(root, ['packages', 'services'])).to.deep.equal(files);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
