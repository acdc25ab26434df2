export { testDatabase, type TestDatabase } from './servers/postgres.ts';
export { createRandom, type Random } from './random.ts';
export { CommandHistory, verifiedPages, type HistoryFault, type StoredDecision } from './command-history.ts';
export { createFaultyJournal, type Fault } from './faulty-journal.ts';
export { SimulatedJournal, StoredExchange } from './simulated-journal.ts';
export { storeTestNames, testName, type TestRename } from './test-names.ts';
export { COMMANDS_OF_SYSTEM, createWorkload, SMALL_SETTINGS, type Workload } from './workload.ts';
export { FakeClock, meanwhile, turn, until } from './fake-clock.ts';
export {
  base,
  issueKey,
  keyOf,
  listMarket,
  openAccount,
  openSubAccount,
  OPERATOR,
  Scenario,
  SCENARIO_AT,
  startEpoch,
  SYSTEM,
  tradingScenario,
} from './scenario.ts';
export { orderFrom } from './order-text.ts';
export { ciTest, IS_LONG_RUN, isLongSuiteLeftOut, longTest } from './long-test.ts';
export { runCommand, withoutProgress } from './run-command.ts';
export { eventually, scaledMs } from './eventually.ts';
