import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import {
  ONLY_PYTHON,
  ONLY_TYPESCRIPT,
  OPTION_NAMES,
  pythonNames,
  snakeCase,
  typeScriptNames,
} from '../clients/client-names.ts';

const CLIENTS = path.resolve(import.meta.dirname, '../../packages/clients');

describe('the names of the clients', () => {
  const [typeScript, python] = [typeScriptNames(), pythonNames()];

  it('are one for one thing in both languages', () => {
    expect(typeScript).to.include.members(['createOrder', 'fetchOHLCV', 'openAccount', 'watchAccount', 'journalSeq']);
    const ofTypeScript = typeScript.filter((name) => !ONLY_TYPESCRIPT.has(name)).map(snakeCase);
    // An iterator is named as the list that it reads.
    const ofPython = python.filter((name) => !ONLY_PYTHON.has(name) && !name.startsWith('iter_'));
    expect(ofPython).to.deep.equal(ofTypeScript.sort());
  });

  it('name each iterator in Python as its list', () => {
    // Every trade is a download, whose list is no fetch.
    const iterators = python.filter((name) => name.startsWith('iter_') && name !== 'iter_all_trades');
    for (const name of iterators) expect(python).to.include(name.replace('iter_', 'fetch_'));
  });

  it('are those of the options, too', () => {
    const sources = (files: readonly string[]): string =>
      files.map((file) => readFileSync(path.join(CLIENTS, file), 'utf8')).join('');
    const ts = sources(['client/src/calls.ts', 'client/src/errors.ts']);
    const py = sources(['client-python/src/papertrading/client.py', 'client-python/src/papertrading/errors.py']);
    for (const [inTypeScript, inPython] of OPTION_NAMES) {
      expect(ts).to.match(new RegExp(`\\b${inTypeScript}\\??:`));
      expect(py).to.match(new RegExp(`\\b${inPython}:`));
      expect(inPython).to.equal(snakeCase(inTypeScript.replace(/Ms$/, '')));
    }
  });
});
