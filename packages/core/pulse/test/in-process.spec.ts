import { createInProcessPulse } from '../src/index.ts';
import { describePulseChannel } from './contract.ts';

describePulseChannel('in one process', async () => {
  const channel = createInProcessPulse();
  return { publisher: channel, subscriber: channel };
});
