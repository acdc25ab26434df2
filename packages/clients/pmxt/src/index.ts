export { createPmxt } from './app.ts';
