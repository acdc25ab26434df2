export * from './batch.ts';
export * from './operator.ts';
export * from './oversight.ts';
export { citationUrl, withoutRefused } from './plain-text.ts';
export { TRANSFER_DAYS } from './oversight-endpoints.ts';
