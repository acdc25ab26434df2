import { failingSuite } from './suite.ts';

failingSuite('before hook');
