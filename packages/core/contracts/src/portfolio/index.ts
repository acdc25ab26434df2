export * from './portfolio.ts';
