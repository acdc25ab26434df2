import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';

const root = path.resolve(import.meta.dirname, '../..');

// Not a literal, since the type checker would resolve that, and the module is JavaScript.
const TEXTS: string = '../run/not-included.mjs';
const GENERATED: string = '../run/generated-page.mjs';

interface Texts {
  readonly NOT_INCLUDED: Readonly<Record<string, string>>;
}
interface Generated {
  readonly notIncluded: (name: string) => string;
  readonly RESULTS: string;
  readonly headOf: (page: string, titles: readonly string[]) => string;
}

describe('the pages of benchmarks and reliability', () => {
  const names = readdirSync(path.join(root, 'packages/testing/bench/src/benchmarks'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.slice(0, -3));

  it('say of each benchmark what its figures do not include', async () => {
    const { NOT_INCLUDED } = (await import(TEXTS)) as Texts;
    expect(names.filter((name) => NOT_INCLUDED[name] === undefined)).to.deep.equal([]);
    for (const text of Object.values(NOT_INCLUDED)) expect(text).to.match(/^[^\n]{20,}[^.\s]$/);
  });

  it('begin with a table of their sections', async () => {
    const { headOf } = (await import(GENERATED)) as Generated;
    const head = headOf('benchmarks.md', ['wirings', 'audit']);
    expect(head)
      .to.match(/^# Benchmarks\n\n/)
      .and.match(/\n\n- \[audit\]\(#audit\)\n- \[wirings\]\(#wirings\)\n$/);
  });

  it('have that at the end of each section that a command wrote', async () => {
    const { notIncluded, RESULTS } = (await import(GENERATED)) as Generated;
    for (const page of ['benchmarks.md', 'reliability.md']) {
      const sections = readFileSync(path.join(root, RESULTS, page), 'utf8')
        .split(/^## /m)
        .slice(1);
      expect(sections.length, page).to.be.at.least(3);
      for (const section of sections.filter((text) => text.includes('```console\n$ '))) {
        const name = section.slice(0, section.indexOf('\n'));
        expect(section.trimEnd().endsWith(notIncluded(name).trim()), `${page}: ${name}`).to.equal(true);
      }
    }
  });
});
