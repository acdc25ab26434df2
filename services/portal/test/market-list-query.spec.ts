import { expect } from 'chai';
import { marketListAddress, marketListRead, parseMarketListQuery } from '../src/pages/market-list-query.ts';

describe("the market list's query", () => {
  it('is the most traded active markets by default', () => {
    const query = parseMarketListQuery('');
    expect(query).to.deep.equal({ q: '', sector: '', sort: 'activity', status: 'active' });
    expect(marketListAddress(query)).to.equal('/');
    expect(marketListRead(query)).to.equal('/api/markets?status=active&sort=activity&limit=100&fields=trend');
  });

  it('is in the address as the person chose it', () => {
    const address = marketListAddress({ q: 'a&b', sector: 'energy', sort: 'closing', status: 'resolved' });
    expect(address).to.equal('/?q=a%26b&sector=energy&sort=closing&status=resolved');
    expect(parseMarketListQuery(address.slice(1))).to.deep.equal({
      q: 'a&b',
      sector: 'energy',
      sort: 'closing',
      status: 'resolved',
    });
  });

  it('takes the default for what is not known, and no more text than the API', () => {
    const query = parseMarketListQuery(`?sort=best&status=x&q=${'a'.repeat(200)}`);
    expect(query).to.include({ sort: 'activity', status: 'active' });
    expect(query.q).to.have.length(100);
  });
});
