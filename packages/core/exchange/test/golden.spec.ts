import { expect } from 'chai';
import { coverageOf, decideAll, everythingOf, goldenSteps, RULES_VERSIONS } from './golden.ts';

for (const version of RULES_VERSIONS) {
  describe(`the golden corpus of rules version ${version}`, () => {
    const steps = goldenSteps(version);

    it('decides as it did when this version of the rules was made; if it must not, raise RULES_VERSION', () => {
      const decided = decideAll(steps.map((step) => step.command));
      for (const [index, step] of steps.entries()) {
        expect(JSON.stringify(decided[index]?.decision), `line ${index + 1}`).to.equal(JSON.stringify(step.decision));
      }
    });

    it('is decided by that version alone', () => {
      const versions = steps.flatMap(({ decision }) =>
        decision.kind === 'accepted'
          ? decision.events.flatMap((event) => (event.type === 'WriterEpochStarted' ? [event.rulesVersion] : []))
          : [],
      );
      expect(new Set(versions)).to.deep.equal(new Set([version]));
      expect(steps[0]?.command.type).to.equal('StartWriterEpoch');
    });

    it('has every type of event, every reason of a cancel and every kind of fill in it', () => {
      expect(coverageOf(steps)).to.deep.equal(everythingOf(version));
    });
  });
}
