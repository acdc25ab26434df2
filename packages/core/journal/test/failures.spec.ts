import { expect } from 'chai';
import { AppendRefused, AppendUnknown } from '../src/index.ts';
import { appendFailure } from '../src/postgres/failures.ts';

function failing(code: string | undefined): Error {
  return Object.assign(new Error('as Postgres says'), code === undefined ? {} : { code });
}

describe('failures of an append to Postgres', () => {
  const unknown: [string, string | undefined][] = [
    ['an own timer', undefined],
    ['a reset connection', 'ECONNRESET'],
    ['a refused connection', 'ECONNREFUSED'],
    ['a broken connection', '08006'],
    ['a full disk', '53100'],
    ['too many connections', '53300'],
    ['a statement timeout', '57014'],
    ['a server that is stopped', '57P01'],
    ['a server that starts', '57P03'],
    ['an I/O error', '58030'],
    ['a standby', '25006'],
    ['a deadlock', '40P01'],
    ['a password that changed', '28P01'],
    ['an internal error', 'XX000'],
  ];
  for (const [what, code] of unknown) {
    it(`leave the outcome unknown after ${what}`, () => {
      const cause = failing(code);
      expect(appendFailure(cause)).to.be.instanceOf(AppendUnknown).and.include({ cause, message: 'as Postgres says' });
    });
  }

  const refused: [string, string][] = [
    ['a value out of range', '22003'],
    ['a NUL in a text', '22P05'],
    ['a doubled id', '23505'],
    ['a missing right', '42501'],
    ['a missing table', '42P01'],
    ['a row beyond the limits', '54000'],
    ['an exception of a trigger', 'P0001'],
  ];
  for (const [what, code] of refused) {
    it(`are refusals after ${what}`, () => {
      expect(appendFailure(failing(code))).to.be.instanceOf(AppendRefused);
    });
  }
});
