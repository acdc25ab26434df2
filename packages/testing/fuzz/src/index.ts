export { apiOf, readApi, type Api, type Operation } from './api.ts';
export type { Finding } from './client.ts';
export { fuzz, type FuzzOptions } from './fuzz.ts';
export { judge } from './judge.ts';
export { makeRequest } from './make.ts';
export { checkReceipts, type Receipt } from './receipts.ts';
