import { createState, RULES_VERSION } from '@paper/exchange';
import { openAccount, Scenario, startEpoch } from '@paper/testkit';
import { expect } from 'chai';

describe('the version of the rules', () => {
  it('is 1 before the first epoch, and then what the newest epoch names', () => {
    expect(createState().rulesVersion).to.equal(1);
    const s = new Scenario({}, undefined, 1);
    expect(s.state.rulesVersion).to.equal(1);
    s.given(openAccount('ann'), startEpoch({}, 2));
    expect(s.state.rulesVersion).to.equal(2);
  });

  it('stops a build that is older than the journal, with a message that says what to run', () => {
    expect(() => new Scenario().given(startEpoch({}, RULES_VERSION + 1))).to.throw(
      `epoch 2 is decided by rules version ${RULES_VERSION + 1}, this build (rules up to version ${RULES_VERSION}) is ` +
        'older: run the build that wrote it',
    );
  });
});
