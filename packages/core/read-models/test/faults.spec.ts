import { expect } from 'chai';
import pg from 'pg';
import {
  CommitsLost,
  isSchemaMissing,
  isTransient,
  JournalUnreachable,
  ProjectionFault,
  ProjectionFenced,
} from '../src/engine/faults.ts';

const ofDatabase = (code: string): Error => Object.assign(new pg.DatabaseError('message', 0, 'error'), { code });
const ofSystem = (code: string): Error => Object.assign(new Error('message'), { code });

describe('an error of the database or the journal', () => {
  const passing: [string, unknown][] = [
    ['a journal that does not answer', new JournalUnreachable('away')],
    ['commits that are lost', new CommitsLost('lost')],
    ...['08006', '40001', '53300', '57P01', '58030', 'XX000'].map((code): [string, unknown] => [
      code,
      ofDatabase(code),
    ]),
    ['a connection that is refused', ofSystem('ECONNREFUSED')],
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['only such errors', new AggregateError([ofSystem('ECONNREFUSED'), ofSystem('ETIMEDOUT')])],
  ];
  for (const [name, error] of passing) it(`passes: ${name}`, () => expect(isTransient(error)).to.equal(true));

  const lasting: [string, unknown][] = [
    ...['23505', '42P01', '22012', 'XX001'].map((code): [string, unknown] => [code, ofDatabase(code)]),
    ['an error of the database without a code', new pg.DatabaseError('connection terminated', 0, 'error')],
    ['a fault of the projection', new ProjectionFault('fault')],
    ['another projector', new ProjectionFenced('fenced')],
    ['no error', 'Connection terminated'],
    ['such an error among others', new AggregateError([ofSystem('ECONNREFUSED'), new Error('other')])],
  ];
  for (const [name, error] of lasting) it(`does not pass: ${name}`, () => expect(isTransient(error)).to.equal(false));

  it('says that a table or a schema is missing, and nothing else', () => {
    const found = ['42P01', '3F000', '42703'].map((code) => isSchemaMissing(ofDatabase(code)));
    expect([...found, isSchemaMissing(ofSystem('42P01'))]).to.deep.equal([true, true, false, false]);
  });
});
