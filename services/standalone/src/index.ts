export type { ServiceFile } from './service-file.ts';
