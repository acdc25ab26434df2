export * from './dead-man-switch.ts';
export * from './fill.ts';
export * from './merge.ts';
export * from './order.ts';
