import { Writable } from 'node:stream';
import { createLogger } from '@paper/runtime';
import { expect } from 'chai';
import { RefusalLog } from '../src/refusal-log.ts';

describe('the log of refused requests', () => {
  const lines: Record<string, unknown>[] = [];
  const minutes: (() => void)[] = [];
  let log: RefusalLog;

  beforeEach(() => {
    lines.length = 0;
    minutes.length = 0;
    const destination = new Writable({
      write(text: Buffer, _encoding, done) {
        lines.push(JSON.parse(text.toString()) as Record<string, unknown>);
        done();
      },
    });
    log = new RefusalLog(createLogger({ name: 'test', level: 'debug' }, destination), (delayMs, work) => {
      expect(delayMs).to.equal(60_000);
      minutes.push(work);
    });
  });

  const refuse = (times: number, route = '/api/orders', status = 429): void => {
    for (let n = 0; n < times; n += 1) log.add('warn', route, status, () => ({ requestId: `${n}`, route, status }));
  };
  const passMinute = (): void => minutes.splice(0).forEach((work) => work());
  const logged = () => lines.map(({ refused, requestId, route, status }) => [route, status, requestId ?? refused]);

  it('has one line of 10,000 refusals, and their number a minute later', () => {
    refuse(10_000);
    expect(logged()).to.deep.equal([['/api/orders', 429, '0']]);
    passMinute();
    expect(logged().slice(1)).to.deep.equal([['/api/orders', 429, 9_999]]);
    expect(lines[1]).to.include({ level: 'warn' });
  });

  it('has a line a minute at most, for as long as refusals come', () => {
    for (let minute = 1; minute <= 5; minute += 1) {
      refuse(3);
      expect(lines).to.have.length(minute);
      passMinute();
    }
    expect(logged().slice(1)).to.deep.equal([2, 3, 3, 3, 3].map((refused) => ['/api/orders', 429, refused]));
  });

  it('logs a refusal as itself again after a minute without any', () => {
    refuse(1);
    passMinute();
    expect(lines).to.have.length(1);
    refuse(1);
    expect(logged()[1]).to.deep.equal(['/api/orders', 429, '0']);
  });

  it('keeps routes and statuses apart', () => {
    refuse(5);
    refuse(5, '/api/markets');
    refuse(5, '/api/orders', 400);
    expect(lines).to.have.length(3);
    passMinute();
    expect(lines).to.have.length(6);
  });
});
