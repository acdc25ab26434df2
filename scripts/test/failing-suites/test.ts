import { failingSuite } from './suite.ts';

failingSuite('test');
