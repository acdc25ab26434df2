export { eventId, type Decision, type Rejection, type RejectionCode } from './decision.ts';
export { applyDecision, decide, evolve, previewOrder } from './decider.ts';
export type { OrderFilter } from './orders/cancel.ts';
export { fillSides, pairsMoved, type FillSide } from './fill-moves.ts';
export { IDEMPOTENCY_CONFLICT, rememberedKeyOf } from './state/idempotency.ts';
export type { Run, Settlement } from './state/market.ts';
export {
  amendAnswer,
  type AmendAnswer,
  matchingOrders,
  orderAnswer,
  type MatchingOrder,
  type OrderAnswer,
} from './orders/views.ts';
export { midpointHalfUnits, PRICE_UNITS_MAX, PRICE_UNITS_MIN } from './money.ts';
export { previewOf } from './orders/preview.ts';
export { optionalFields } from './optional-fields.ts';
export { PriceSet } from './state/price-set.ts';
export { canonicalPermissions } from './permissions.ts';
export { RULES_VERSION } from './rules.ts';
export { createState, findKeyOwner } from './state/state.ts';
export type { Authenticated, State } from './state/state.ts';
export { dueTimer, nextTimerAt, type DueTimer } from './state/due-timer.ts';
export * from './accounts/views.ts';
export * from './markets/views.ts';
export { signalSeq } from './signals/record.ts';
export * from './state/views.ts';
