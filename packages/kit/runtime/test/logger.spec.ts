import { expect } from 'chai';
import { createLogger } from '../src/index.ts';

describe('the logger', () => {
  it('redacts what is logged under the name of a secret, up to two levels down', () => {
    const lines: string[] = [];
    const logger = createLogger({ name: 'test', level: 'info' }, { write: (line) => void lines.push(line) });
    const secrets = { authorization: 'S1', 'x-api-key': 'S2', cookie: 'S3', rawKey: 'S4', token: 'S5', password: 'S6' };
    logger.info({ ...secrets, keyId: 'shown' }, 'top');
    logger.info({ req: { headers: secrets } });
    logger.child({ body: secrets }).info('child');
    logger.debug('below the level');
    expect(lines).to.have.length(3);
    expect(lines.join('')).not.to.match(/"S\d"/);
    expect(lines[0]).to.include('"keyId":"shown"').and.include('"authorization":"[secret]"');
  });

  it('writes the time by ISO 8601, and the name of the level', () => {
    const lines: string[] = [];
    const logger = createLogger({ name: 'test', level: 'info' }, { write: (line) => void lines.push(line) });
    logger.child({ part: 'a' }).warn('slow');
    const { level, time } = JSON.parse(lines.join('')) as Record<string, unknown>;
    expect(level).to.equal('warn');
    expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(String(time))).to.be.closeTo(Date.now(), 60_000);
  });

  it('tells of an error what it says, and nothing that hangs on it', () => {
    const lines: string[] = [];
    const logger = createLogger({ name: 'test', level: 'info' }, { write: (line) => void lines.push(line) });
    const error = new Error('lost', { cause: new TypeError('reset') });
    logger.info({ err: Object.assign(error, { code: '57P01', client: { secretKey: 7 } }) }, 'failed');
    const { err } = JSON.parse(lines.join('')) as { err: Record<string, unknown> };
    expect(err).to.include({ name: 'Error', message: 'lost', code: '57P01' });
    expect(err['cause']).to.include({ name: 'TypeError', message: 'reset' });
    expect(Object.keys(err)).to.have.members(['name', 'message', 'code', 'stack', 'cause']);
  });
});
