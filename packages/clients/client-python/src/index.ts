export { pythonWheel, type Wheel } from './wheel.ts';
