export * from './headline.ts';
export * from './market-signal.ts';
export * from './signal.ts';
export * from './timeline.ts';
