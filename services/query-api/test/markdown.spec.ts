import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readFormat } from '../src/pages/documents.ts';
import { markdownToHtml } from '../src/pages/markdown.ts';
import { loadPages } from '../src/pages/pages.ts';

describe('documents for auditors', () => {
  it('are the files of the repository, and the format is HTML for a browser', () => {
    const repository = new URL('../../../', import.meta.url);
    const verifier = readFileSync(new URL('packages/clients/client-files/src/verify-journal.mjs', repository));
    const format = readFileSync(new URL('packages/core/journal/FORMAT.md', repository));
    const byPath = new Map(loadPages().map((page) => [page.path, page]));
    expect(byPath.get('/verify-journal.mjs')?.bytes).to.deep.equal(verifier);
    expect(byPath.get('/docs/format')?.unlessHtml?.bytes.equals(format)).to.equal(true);
    const html = byPath.get('/docs/format')?.bytes.toString() ?? '';
    for (const part of ["<h1>The journal's format</h1>".replace("'", '&#39;'), '<td><code>seq</code></td>', '<pre']) {
      expect(html).to.include(part);
    }
    expect(html).not.to.match(/```|^\|/m);
    expect(readFormat().equals(format)).to.equal(true);
  });

  it('are escaped, and link to web addresses alone', () => {
    expect(markdownToHtml('# <b> & `<i>`')).to.equal('<h1>&#60;b&#62; &#38; <code>&#60;i&#62;</code></h1>');
    expect(markdownToHtml('a\nb\n\n- c\n  d\n- e')).to.equal('<p>a b</p>\n<ul><li>c d</li><li>e</li></ul>');
    expect(markdownToHtml('[x](javascript:alert(1)) [y](src/y.ts)')).not.to.include('href');
    expect(markdownToHtml('[a"b](https://example.com/"x)')).to.equal(
      '<p><a href="https://example.com/&#34;x" rel="noopener noreferrer">a&#34;b</a></p>',
    );
    expect(markdownToHtml('```\n<x>\n```\nz')).to.equal('<pre tabindex="0"><code>&#60;x&#62;</code></pre>\n<p>z</p>');
    expect(markdownToHtml('| a | b |\n| - | - |\n| `c` | d |')).to.include('<td><code>c</code></td><td>d</td>');
  });
});
