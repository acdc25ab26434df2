export * from './journal-line.ts';
export * from './ledger.ts';
