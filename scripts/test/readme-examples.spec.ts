import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { longTest } from '@paper/testkit';
import { expect } from 'chai';
import { workspaceFolders } from '../run/workspace.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** Inside the package, so that it finds itself by its name, and the packages that it depends on. */
const examplesIn = (folder: string): string => path.join(root, folder, '.cache/readme-examples');

const folders = workspaceFolders(root);

const readmeOf = (folder: string): string => readFileSync(path.join(root, folder, 'README.md'), 'utf8');

/** The TypeScript code blocks of a page. */
const examplesOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code ?? '');

describe('the README of each package and service', () => {
  after(() => {
    for (const folder of folders) rmSync(examplesIn(folder), { recursive: true, force: true });
  });

  for (const folder of folders) {
    it(`${folder} has one of at most 40 lines`, () => {
      expect(existsSync(path.join(root, folder, 'README.md'))).to.equal(true);
      expect(readmeOf(folder).trimEnd().split('\n').length).to.be.at.most(40);
    });
  }

  for (const folder of folders.filter((name) => existsSync(path.join(root, name, 'README.md')))) {
    examplesOf(readmeOf(folder)).forEach((code, index) => {
      it(`${folder}: example ${index + 1} runs and prints something`, function () {
        longTest(this);
        this.timeout(60_000);
        mkdirSync(examplesIn(folder), { recursive: true });
        const file = path.join(examplesIn(folder), `${index + 1}.ts`);
        writeFileSync(file, code);
        const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', file], {
          cwd: root,
          encoding: 'utf8',
        });
        expect(status, stderr).to.equal(0);
        expect(stdout.trim(), 'its output').not.to.equal('');
      });
    });
  }
});
