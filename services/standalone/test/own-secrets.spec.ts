import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createOperators, hashKey } from '@paper/http';
import { writePrivateFile } from '@paper/runtime';
import { expect } from 'chai';
import { operatorTokensOf } from '../src/operator-token.ts';
import { addOperatorToken, dropOldTokens, rotateMcpSecret, STORED_TOKENS } from '../src/rotation.ts';

describe('the secrets that npm start makes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-own-secrets-'));
  after(() => rmSync(folder, { recursive: true }));
  const restart = (): Promise<void> => Promise.resolve();

  it('can be replaced: the token with both accepted until the former is dropped', async () => {
    const file = path.join(folder, 'operator-token');
    const { operatorToken: former } = operatorTokensOf(folder);
    const accepted = (token: string): boolean =>
      createOperators(operatorTokensOf(folder).operatorTokens).find(hashKey(token)) !== null;
    const token = await addOperatorToken(file, 'operator', restart, STORED_TOKENS);
    expect([accepted(token), accepted(former)]).to.deep.equal([true, true]);
    expect(operatorTokensOf(folder).operatorToken).to.equal(token);
    expect(await dropOldTokens(file, 'operator', restart, STORED_TOKENS)).to.equal(1);
    expect([accepted(token), accepted(former)]).to.deep.equal([true, false]);
  });

  it('can be replaced: the one that signs prepared orders, with the former behind it', async () => {
    const file = path.join(folder, 'mcp-secret');
    writePrivateFile(file, `${'f'.repeat(43)}\n`);
    const services: string[] = [];
    await rotateMcpSecret(file, (names) => Promise.resolve(void services.push(...names)));
    const [newer = '', former] = readFileSync(file, 'utf8').trim().split(',');
    expect([newer.length, former, services]).to.deep.equal([43, 'f'.repeat(43), ['mcp']]);
  });
});
