import { expect } from 'chai';
import { assignError } from '../../web/ui/place-error.ts';

const FIELDS = ['signInName', 'password'] as const;

describe('the place of an error in a form', () => {
  it('a validation failure stands beside the field that it names, without that name', () => {
    const error = {
      code: 'validation_failed',
      message: 'validation failure: signInName: must be 3 to 64 characters long',
    };
    expect(assignError(error, FIELDS)).to.deep.equal({
      field: 'signInName',
      text: 'This must be 3 to 64 characters long.',
    });
  });

  it('a fault inside a list stands beside the list', () => {
    const error = { code: 'validation_failed', message: 'validation failure: marketIds.3: must be text' };
    expect(assignError(error, ['marketIds'])).to.deep.equal({ field: 'marketIds', text: 'This must be text.' });
  });

  it('a validation failure of no field of the form stands above the button, whole', () => {
    const error = { code: 'validation_failed', message: 'validation failure: body: is not JSON' };
    expect(assignError(error, FIELDS)).to.deep.equal({ field: null, text: 'Validation failure: body: is not JSON.' });
  });

  it('another code stands beside the field that the form gives it, else above the button', () => {
    const taken = { code: 'name_taken', message: 'this sign-in name is taken' };
    expect(assignError(taken, FIELDS, { name_taken: 'signInName' })).to.deep.equal({
      field: 'signInName',
      text: 'This sign-in name is taken.',
    });
    expect(assignError(taken, FIELDS)).to.deep.equal({ field: null, text: 'This sign-in name is taken.' });
  });
});
