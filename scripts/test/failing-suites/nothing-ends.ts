import { failingSuite } from './suite.ts';

failingSuite('nothing ends');
