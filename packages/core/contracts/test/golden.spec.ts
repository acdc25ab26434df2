import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { answerLines, RECORDED } from './golden/golden.ts';
import { samples } from './samples.ts';

describe('the recorded answers', () => {
  const recorded = readFileSync(RECORDED, 'utf8').trimEnd().split('\n');
  const lines = answerLines(samples);

  it('are of every endpoint', () => {
    expect(recorded.map((line) => (JSON.parse(line) as [id: string])[0])).to.have.members([...lines.keys()]);
  });

  for (const line of recorded) {
    const [id] = JSON.parse(line) as [id: string];
    it(`${id}: the same bytes, in the same order`, () => {
      expect(lines.get(id)).to.equal(line);
    });
  }
});
