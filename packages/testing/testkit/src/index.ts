export {
  eventStoreAt,
  startEventStore,
  testEventStore,
  type EventStoreOptions,
  type RunningEventStore,
} from './eventstoredb.ts';
export { TestAuthority, type CertificateRequest, type IssuedCertificate } from './test-authority.ts';
export { testDatabase, type TestDatabase } from './postgres.ts';
export { createRandom, type Random } from './random.ts';
export { CommandHistory, verifiedPages, type HistoryFault, type StoredDecision } from './command-history.ts';
export { createFaultyJournal, type Fault, type FaultPlan } from './faulty-journal.ts';
export { SimulatedJournal, StoredExchange, type TakenCommand } from './simulated-journal.ts';
export { storeTestNames, testName, type TestName } from './test-names.ts';
export {
  COMMANDS_OF_SYSTEM,
  createWorkload,
  SMALL_SETTINGS,
  type ObservedDecision,
  type Workload,
  type WorkloadOptions,
} from './workload.ts';
export {
  answerBody,
  createAnswerContract,
  pointerTo,
  validatorOf,
  type AnswerContract,
  type CheckedAnswer,
  type ServedDocument,
} from './answer-contract.ts';
export { createCheckedClient, type CheckedClient, type CheckedRequest } from './checked-client.ts';
export {
  startStandalone,
  temporaryDataDir,
  type RunningStandalone,
  type ServiceFile,
  type StandaloneOptions,
} from './standalone.ts';
export { anyBadBytes, badBytes, type BadBytes } from './bad-bytes.ts';
export { anyBadRequest, badRequests, type BadRequest, type BadRequestTarget, type Json } from './bad-requests.ts';
export { lastAnswer, sendBadRequest, sendBytes, type RawAnswer } from './send-raw.ts';
export { BODY_SAMPLES, type BodySample } from './body-samples.ts';
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
export { IS_LONG_RUN, isLongSuiteLeftOut, longTest } from './long-test.ts';
export { marketBody } from './market-body.ts';
export { operatorClient, type OperatorClient } from './operator-client.ts';
export { eventBlocks } from './event-blocks.ts';
export { KeptBook, shownBook, type BookEvent, type ShownBook } from './kept-book.ts';
export { runCommand } from './run-command.ts';
export { seededProgram, wholeNumber } from './seeded-program.ts';
export { eventually, scaledMs, type EventuallyOptions } from './eventually.ts';
export { createCuttableProxy, type CuttableProxy } from './cuttable-proxy.ts';
export { builtFolder, builtProgram } from './exchange/built.ts';
export {
  describeClientOfExchange,
  describeExchange,
  describeServices,
  describeSharedExchange,
  missingServer,
} from './exchange/exchange.ts';
export type { RunningExchange } from './exchange/running-exchange.ts';
export { testRedis } from './exchange/redis.ts';
export { ROLE_PASSWORD } from './exchange/roles.ts';
export { startServices, type RunningServices, type ServicesOptions } from './exchange/services.ts';
export { startServiceProcess, type ServiceName, type ServiceProcess } from './exchange/service-process.ts';
export { createContenders, type Contender, type Contenders } from './failover/contenders.ts';
export { judgeFailover, type FailoverVerdict } from './failover/judge.ts';
export { prepareFailover } from './failover/prepare.ts';
export { startOrderLoad, type Answered, type OrderLoad } from './failover/order-load.ts';
