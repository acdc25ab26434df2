import { failingSuite } from './suite.ts';

failingSuite('after hook');
