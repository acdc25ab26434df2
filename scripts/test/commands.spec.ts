import { readFileSync } from 'node:fs';
import path from 'node:path';
import { COMMANDS, helpOfAll } from '@paper/commands';
import type { CommandDeclaration } from '@paper/commands';
import { FORMATS, TABLE_NAMES } from '@paper/exports';
import { isSecretSetting } from '@paper/runtime';
import { standaloneSettings } from '@paper/standalone';
import { expect } from 'chai';

const root = path.resolve(import.meta.dirname, '../..');

describe('the declared commands', () => {
  it('are those of package.json, all with a line of help', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
    expect(Object.keys(COMMANDS).sort()).to.deep.equal(Object.keys(scripts).sort());
    for (const name of Object.keys(COMMANDS)) expect(helpOfAll(COMMANDS)).to.match(new RegExp(`^  ${name} `, 'm'));
  });

  it('of npm start have every setting, and nothing else: it was refused as no option', () => {
    const names = COMMANDS['start']?.settings?.map(([name]) => name) ?? [];
    expect([...names].sort()).to.deep.equal(Object.keys(standaloneSettings.shape).sort());
  });

  it('say of each setting whether a file may have it', () => {
    for (const { settings = [] } of Object.values(COMMANDS)) {
      for (const [name, , , isSecret = false] of settings) expect(isSecret, name).to.equal(isSecretSetting(name));
    }
  });

  it('know the formats and tables of an export', () => {
    const { format, tables } = COMMANDS['export']?.options ?? {};
    expect(format?.choices).to.deep.equal([...FORMATS, 'journal']);
    for (const name of TABLE_NAMES) expect(tables?.about).to.include(name);
  });

  it('have --json, where they print facts, and --data-dir, where DATA_DIR is read', () => {
    const silent = ['start', 'start:services', 'mcp'];
    for (const [name, declared] of Object.entries(COMMANDS).filter(([, one]) => one.settings !== undefined)) {
      if (silent.includes(name)) continue;
      for (const one of Object.values<CommandDeclaration>(declared.commands ?? { [name]: declared })) {
        expect(one.json, `${name}: ${one.about}`).to.equal(true);
      }
    }
  });
});
