import { expect } from 'chai';

interface Places {
  of(markets: readonly { readonly id: string }[]): readonly { readonly id: string }[];
}

describe('the rows of the page', () => {
  it('do not change places under the cursor: a market that comes takes the place of one that went', async () => {
    const file = new URL('../src/pages/places.mjs', import.meta.url).href;
    const { keepPlaces } = (await import(file)) as { readonly keepPlaces: (count: number) => Places };
    const places = keepPlaces(3);
    const shown = (ids: string): string =>
      places
        .of(Array.from(ids, (id) => ({ id })))
        .map(({ id }) => id)
        .join('');
    expect(shown('ab')).to.equal('ab');
    expect(shown('badc')).to.equal('abd');
    expect(shown('dcba')).to.equal('abd');
    expect(shown('edca')).to.equal('aed');
    expect(shown('e')).to.equal('e');
    expect(shown('')).to.equal('');
  });
});
