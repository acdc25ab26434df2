import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import { readConfig } from '@paper/runtime';
import { expect } from 'chai';
import { commandApiSettings } from '../src/config.ts';
import { decidingOptions } from '../src/deciding-settings.ts';
import { idempotencyWarning, memoryBytes } from '../src/idempotency-memory.ts';

const settingsOf = (env: Record<string, string>) =>
  decidingOptions(
    readConfig(commandApiSettings, { DATABASE_URL: 'postgres://x', METRICS_PORT: '0', PORT: '0', ...env }),
  ).settings;

describe('IDEMPOTENCY_ENTRIES', () => {
  it('becomes a setting of the epoch, by default that of journals from before it could be set', () => {
    expect(settingsOf({})).to.deep.equal(DEFAULT_SETTINGS);
    expect(settingsOf({ IDEMPOTENCY_ENTRIES: '3' })).to.deep.equal({ ...DEFAULT_SETTINGS, idempotencyEntries: 3 });
  });

  it('warns where 0.7 KB for each is more than a tenth of the memory', () => {
    const settings = settingsOf({ IDEMPOTENCY_ENTRIES: '1000' });
    expect(idempotencyWarning(settings, 7_000_000)).to.equal(null);
    expect(idempotencyWarning(settings, 6_999_000)).to.equal(
      'IDEMPOTENCY_ENTRIES is 1000: they may take 1 MB, more than a tenth of the 7 MB of memory. ' +
        'Set it to 999 or less, or add memory.',
    );
  });

  it('knows the memory of a container, which may be less than the machine has, more, or without a limit', () => {
    expect(memoryBytes(1_000, 2_000)).to.equal(1_000);
    expect(memoryBytes(2 ** 63, 2_000)).to.equal(2_000);
    expect(memoryBytes(0, 2_000)).to.equal(2_000);
  });
});
