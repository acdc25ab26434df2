export * from './journal-line.ts';
export * from './ledger.ts';
export * from './order-sequences.ts';
