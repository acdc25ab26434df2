import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { COMMANDS, helpOf, helpOfAll } from '../run/help.mjs';
import { START_SETTINGS } from '../run/settings.mjs';
import { standaloneSettings } from '@paper/standalone';

const root = path.resolve(import.meta.dirname, '../..');

describe('--help', () => {
  it('is there for every npm command', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
    expect(Object.keys(COMMANDS).sort()).to.deep.equal(Object.keys(scripts).sort());
    for (const name of Object.keys(COMMANDS)) expect(helpOfAll()).to.match(new RegExp(`^  ${name} `, 'm'));
  });

  it('of npm start names every setting, and nothing else: it was refused as no option', () => {
    const names = START_SETTINGS.map(([name]) => name);
    expect([...names].sort()).to.deep.equal(Object.keys(standaloneSettings.shape).sort());
    for (const name of names) expect(helpOf('start')).to.include(`  ${name} `);
  });
});
