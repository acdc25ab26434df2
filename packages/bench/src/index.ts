export { answerParent, askAside } from './harness/ask-aside.ts';
export { KeptConnection, type PlainAnswer } from './harness/kept-connection.ts';
