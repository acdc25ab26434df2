import { expect } from 'chai';
import { isReservedName } from '../src/accounts/reserved-names.ts';

describe('reserved display names', () => {
  const refused = [
    ...['House', 'HOUSE maker', 'house2', 'HOUSE-2', 'Demo', 'Demo Ada', 'demo_1', 'Operator', 'Admin'],
    // Cyrillic о and е, full width, marks, digits for letters, spaces between.
    ...['Hоuse maker', 'Dеmo', 'Ｄemo', 'Dėmō', 'h0use', '0perat0r', 'Adm1n', 'D e m o', 'de-mo', 'h o u s e 2'],
  ];
  for (const name of refused) it(`refuses ${name}`, () => expect(isReservedName(name)).to.equal(true));

  const allowed = [
    'Ada',
    'Demosthenes',
    'Demosthenes K',
    'Warehouse',
    'Housemate',
    'Houston',
    'Modern',
    'Admiral 7',
    '李',
    '42',
  ];
  for (const name of allowed) it(`allows ${name}`, () => expect(isReservedName(name)).to.equal(false));
});
