export { pythonWheel, REPOSITORY, type Wheel } from './wheel.ts';
