export { createContenders, type Contender, type Contenders } from './contenders.ts';
export { judgeFailover } from './judge.ts';
export { startOrderLoad, type Answered, type OrderLoad } from './order-load.ts';
