import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { generatedFiles } from '../clients/api-types.ts';

describe('the generated files of the client', function () {
  this.timeout(20_000);

  it('agree with the endpoints', async () => {
    for (const [file, text] of await generatedFiles()) {
      const message = `${file}: run npm run build:client-types`;
      expect(readFileSync(file, 'utf8') === text, message).to.equal(true);
    }
  });
});
