import { expect } from 'chai';
import { createLogger } from '../../src/index.ts';
import { createTeardown } from '../../src/process/teardown.ts';

const silent = createLogger({ name: 'test', level: 'silent' });

describe('teardown', () => {
  it('stops what was started last first, one after the other', async () => {
    const teardown = createTeardown(silent);
    const said: string[] = [];
    for (const name of ['postgres', 'command side', 'http']) {
      await teardown.add(name, async () => {
        said.push(`${name} stops`);
        await Promise.resolve();
        said.push(`${name} stopped`);
      });
    }
    await Promise.all([teardown.run(), teardown.run()]);
    expect(said).to.deep.equal([
      'http stops',
      'http stopped',
      'command side stops',
      'command side stopped',
      'postgres stops',
      'postgres stopped',
    ]);
  });

  it('goes on after one that fails', async () => {
    const teardown = createTeardown(silent);
    let stopped = false;
    await teardown.add('first', () => {
      stopped = true;
    });
    await teardown.add('second', () => Promise.reject(new Error('no')));
    await teardown.run();
    expect(stopped).to.equal(true);
  });

  it('stops at once what is started after stopping began', async () => {
    const teardown = createTeardown(silent);
    expect(teardown.begun()).to.equal(false);
    await teardown.run();
    expect(teardown.begun()).to.equal(true);
    let stopped = false;
    await teardown.add('late', () => {
      stopped = true;
    });
    expect(stopped).to.equal(true);
  });

  it('begins to stop what is left, when the process ends before the stop is done', async () => {
    const teardown = createTeardown(silent);
    const begun: string[] = [];
    await teardown.add('lock', () => void begun.push('lock'));
    await teardown.add('service.json', () => void begun.push('service.json'));
    await teardown.add('postgres', () => new Promise(() => begun.push('postgres')));
    void teardown.run();
    teardown.abandon();
    expect(begun).to.deep.equal(['postgres', 'service.json', 'lock']);
  });
});
