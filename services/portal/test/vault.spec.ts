import { expect } from 'chai';
import { SealBroken, Vault } from '../src/base/vault.ts';

const [OLD, NEW] = ['the older secret of the portal, long', 'the newer secret of the portal, long'];

describe('the vault', () => {
  const vault = new Vault([OLD]);

  it('opens what it sealed, for the same owner', () => {
    const sealed = vault.seal('svc_live_secret', 'account-1', 'key-1');
    expect(sealed.toString('latin1')).not.to.include('svc_live');
    expect(vault.open(sealed, 'account-1', 'key-1')).to.equal('svc_live_secret');
  });

  it('opens it for no other owner', () => {
    const sealed = vault.seal('svc_live_secret', 'account-1', 'key-1');
    for (const owner of [['account-2', 'key-1'], ['account-1', 'key-2'], ['account-1'], ['account-1key-1']]) {
      expect(() => vault.open(sealed, ...owner), owner.join()).to.throw(SealBroken);
    }
  });

  it('opens nothing that was changed in any byte', () => {
    const sealed = vault.seal('secret', 'a', 'k');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => vault.open(changed, 'a', 'k'), `byte ${at}`).to.throw(SealBroken);
    }
    expect(() => vault.open(sealed.subarray(0, 20), 'a', 'k')).to.throw(SealBroken);
  });

  it('never seals one text twice the same', () => {
    expect(vault.seal('secret', 'a')).not.to.deep.equal(vault.seal('secret', 'a'));
  });

  it('during a rotation opens both, and seals with the newer secret', () => {
    const sealed = vault.seal('secret', 'a');
    const rotating = new Vault([NEW, OLD]);
    expect(rotating.open(sealed, 'a')).to.equal('secret');
    expect(rotating.isCurrent(sealed)).to.equal(false);
    const anew = rotating.seal('secret', 'a');
    expect(rotating.isCurrent(anew)).to.equal(true);
    expect(new Vault([NEW]).open(anew, 'a')).to.equal('secret');
    expect(() => new Vault([NEW]).open(sealed, 'a')).to.throw(SealBroken);
  });
});
