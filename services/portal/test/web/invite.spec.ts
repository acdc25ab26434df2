import { expect } from 'chai';
import { inviteOf } from '../../web/pages/sign-up/invite.ts';

describe('an invite', () => {
  it('is taken as a link or as a code', () => {
    expect(inviteOf('https://trade.example/sign-up?invite=abc')).to.equal('abc');
    expect(inviteOf(' abc\n')).to.equal('abc');
  });

  it('a link without a code is left to the service to refuse', () => {
    expect(inviteOf('https://trade.example/')).to.equal('https://trade.example/');
  });
});
