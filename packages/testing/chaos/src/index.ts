export { ALERT_FAULTS, FAULT_ROUNDS, type AlertFault, type ExpectedAlert } from './alerts/faults.ts';
export { FakeClocks, type Offsets } from './fake-clocks.ts';
export { Findings, FINDINGS, GivenUp, type Finding, type FindingKind } from './findings.ts';
export { Judge } from './judge.ts';
export { VolatileDisk, whyNoVolatileDisk } from './power/volatile-disk.ts';
export { VolatileFile, type Survivors } from './power/volatile-file.ts';
