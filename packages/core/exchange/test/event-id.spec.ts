import { eventId } from '@paper/exchange';
import { expect } from 'chai';

describe('the id of an event', () => {
  it('is the id of its command with the index, in three hexadecimal digits, in place of the last three', () => {
    const ids = [0, 9, 16, 255, 4_095].map((index) => eventId('01900000-0000-7000-8000-000000000abc', index).slice(-6));
    expect(ids).to.deep.equal(['000000', '000009', '000010', '0000ff', '000fff']);
    expect(eventId('01900000-0000-7000-8000-000000000abc', 16)).to.have.length(36);
  });
});
