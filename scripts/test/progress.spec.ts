import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { packagesOf } from '../run/install.mjs';
import { startProgress } from '@paper/commands';

describe('the progress of a start', () => {
  const show = (isTTY: boolean, columns = 40) => {
    const written: string[] = [];
    const stream = { columns, isTTY, write: (text: string) => void written.push(text) };
    return { progress: startProgress('Installing', { detail: () => '3 of 9 packages', stream }), written };
  };

  it('is a plain line where there is no terminal: there was silence for 20 s', async () => {
    const { progress, written } = show(false);
    await eventually('a line', () => written.length > 0);
    progress.done();
    expect(written[0]).to.match(/^Installing … \d+ s, 3 of 9 packages\n$/);
  });

  it('is a line that changes and goes away on a terminal', async () => {
    const { progress, written } = show(true);
    await eventually('the line changes', () => written.length >= 3);
    progress.done();
    for (const text of written) expect(text.startsWith('\r')).to.equal(true);
    expect(written.at(-1)).to.equal('\r\u001b[K');
  });

  it('is whole on a terminal that does not know its width: all but its end was cut off', async () => {
    const { progress, written } = show(true, 0);
    await eventually('the line', () => written.length > 0);
    progress.done();
    expect(written[0]).to.match(/^\rInstalling … \d+ s, 3 of 9 packages\u001b\[K$/);
  });

  it('is silent where all is quick', () => {
    const { progress, written } = show(true);
    progress.done();
    expect(written).to.deep.equal([]);
  });

  it("of an installation is read from pnpm's output", () => {
    expect(packagesOf('')).to.equal('');
    expect(
      packagesOf(
        'Progress: resolved 1, reused 0, downloaded 0, added 0\nProgress: resolved 214, reused 200, downloaded 9, added 57\n+ x',
      ),
    ).to.equal('57 of 214 packages');
  });
});
