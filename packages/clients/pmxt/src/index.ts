export { createPmxt, type Pmxt, type PmxtOptions } from './app.ts';
