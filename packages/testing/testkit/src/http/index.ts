export {
  answerBody,
  createAnswerContract,
  pointerTo,
  validatorOf,
  type AnswerContract,
  type CheckedAnswer,
  type ServedDocument,
} from './answer-contract.ts';
export { anyBadBytes, badBytes } from './bad-bytes.ts';
export { anyBadRequest, badRequests, type BadRequestTarget, type Json } from './bad-requests.ts';
export { createCheckedClient, type CheckedClient } from './checked-client.ts';
export { eventBlocks } from './event-blocks.ts';
export { KeptBook, shownBook, type BookEvent } from './kept-book.ts';
export { marketBody } from './market-body.ts';
export { operatorClient, type OperatorClient } from './operator-client.ts';
export { beginRawRequest, lastAnswer, sendBadRequest, sendBytes } from './send-raw.ts';
