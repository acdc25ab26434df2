import { createMemoryJournal, createMemoryLog } from '../src/index.ts';
import { journalContract } from './contract.ts';

journalContract('memory', () => {
  const log = createMemoryLog();
  return Promise.resolve({
    close: () => Promise.resolve(),
    open: () => Promise.resolve(createMemoryJournal(log)),
  });
});
