import { failingSuite } from './suite.ts';

failingSuite('process ends');
