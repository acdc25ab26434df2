import { APPEND_FAILED, CANNOT_READ_JOURNAL, STEPS_DOWN } from '@paper/command-side';
import { createLogger, createMetrics } from '@paper/runtime';
import { FakeClock } from '@paper/testkit';
import { expect } from 'chai';
import { observeWriter } from '../src/command-metrics.ts';

describe('what the writer tells', () => {
  for (const alarm of [STEPS_DOWN, APPEND_FAILED, CANNOT_READ_JOURNAL]) {
    it(`is one line a minute while a journal is away for ten: it was one each time (${alarm})`, async () => {
      const clock = new FakeClock();
      const lines: string[] = [];
      const logger = createLogger(
        { level: 'info', name: 'test' },
        { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
      );
      const metrics = createMetrics();
      const observer = observeWriter(metrics, logger, clock.after);
      for (let seconds = 0; seconds < 600; seconds += 20) {
        observer.alarm(alarm, new Error('the journal does not answer'));
        clock.advance(20_000);
      }
      expect(lines).to.have.length.within(10, 11);
      for (const line of lines) expect(line).to.match(new RegExp(`^${alarm}(: still, in the last minute)?$`));
      expect((await metrics.expose()).text).to.match(/^command_alarms_total 30$/m);
      observer.appended({ bytes: 1, events: 1, tookMs: 1 });
      expect(lines.at(-1)).to.equal(`${alarm}: works again`);
    });
  }
});
