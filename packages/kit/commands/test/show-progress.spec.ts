import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { showProgress } from '../src/index.ts';

describe('the progress of a command', () => {
  const write = process.stderr.write.bind(process.stderr);
  let shown = '';

  beforeEach(() => {
    shown = '';
    process.stderr.write = (text: string | Uint8Array): boolean => (shown += String(text)) !== '';
  });
  afterEach(() => (process.stderr.write = write));

  it('is done, of how many, how many a second and what is left, over all steps of one count', async () => {
    const progress = showProgress('processes');
    progress.show('Restarting a', 0, 3);
    const begunMs = performance.now();
    // Without a time between them, two counts have no rate.
    await eventually('some time', () => performance.now() > begunMs);
    progress.show('Restarting b', 1, 3);
    await eventually('a line', () => shown !== '');
    progress.clear();
    expect(shown).to.match(/Restarting b … \d+ s, 33 %: 1 of 3 processes, [\d.]+ processes\/s, \d.* left/);
  });

  it('has no rate yet where another count begins', async () => {
    const progress = showProgress();
    progress.show('reading', 500, 1_000);
    progress.show('folding', 0, 10);
    await eventually('a line', () => shown !== '');
    progress.clear();
    expect(shown).to.match(/folding … \d+ s, 0 %: 0 of 10 events, 0 events\/s, \? left/);
  });
});
