import { expect } from 'chai';
import { recoveryCodesFile } from '../../web/data/people/recovery-codes-file.ts';

describe('the file of recovery codes', () => {
  it('says whose codes they are, where they are used, and has each on a line of its own', () => {
    const file = recoveryCodesFile({
      publicUrl: 'https://trade.example',
      signInName: 'ann',
      codes: ['aaaa-bbbb', 'cccc-dddd'],
      createdAt: new Date('2026-11-23T08:00:00Z'),
    });
    const lines = file.split('\n');
    expect(lines).to.include.members(['aaaa-bbbb', 'cccc-dddd', 'Sign-in name: ann', 'Made: 2026-11-23T08:00:00.000Z']);
    expect(file).to.include('https://trade.example/recover');
  });
});
