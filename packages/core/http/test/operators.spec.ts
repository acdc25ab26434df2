import { readConfig } from '@paper/runtime';
import { expect } from 'chai';
import { z } from 'zod';
import { apiSetting, createOperators, formatOperatorTokens, hashKey, parseOperatorTokens } from '../src/index.ts';

describe("operators' tokens", () => {
  it('are read as name:token, and found by their hash', () => {
    const text = 'olga:0123456789abcdef,otto:0123456789ABCDEF:markets+accounts-own';
    const tokens = parseOperatorTokens(text.replace(',', ', ,'));
    expect(tokens).to.deep.equal([
      { name: 'olga', scopes: null, token: '0123456789abcdef' },
      { name: 'otto', scopes: ['markets', 'accounts-own'], token: '0123456789ABCDEF' },
    ]);
    expect(formatOperatorTokens(tokens)).to.equal(text);
    const operators = createOperators(tokens);
    expect(operators.find(hashKey('0123456789ABCDEF'))).to.deep.equal({
      name: 'otto',
      scopes: ['markets', 'accounts-own'],
    });
    expect(operators.find(hashKey('0123456789abcdeF'))).to.equal(null);
  });

  it('are refused without being quoted', () => {
    for (const text of ['no-colon-but-long-enough', 'bad name:0123456789abcdef', 'olga:', ':0123456789abcdef']) {
      expect(() => parseOperatorTokens(text)).to.throw(/^entry 1 is not of the form/);
    }
    for (const scopes of ['', 'market', 'markets+', 'markets+secret', 'markets:signals']) {
      expect(() => parseOperatorTokens(`olga:0123456789abcdef:${scopes}`)).to.throw(
        /^entry 1 has an unknown scope; scopes are markets, signals, accounts, accounts-own, joined by \+$/,
      );
    }
  });

  it('are a setting, whose refusal quotes none', () => {
    const schema = z.object({ OPERATOR_TOKENS: apiSetting.operatorTokens });
    expect(readConfig(schema, { OPERATOR_TOKENS: 'olga:0123456789abcdef' }).OPERATOR_TOKENS).to.deep.equal([
      { name: 'olga', scopes: null, token: '0123456789abcdef' },
    ]);
    expect(() => readConfig(schema, { OPERATOR_TOKENS: 'olga:short-secret' })).to.throw(
      'The settings in the environment are not valid:\n' +
        '  OPERATOR_TOKENS: entry 1 is not of the form name:token or name:token:scope+scope, with a token of at least ' +
        '16 characters and no colon in it',
    );
  });
});
