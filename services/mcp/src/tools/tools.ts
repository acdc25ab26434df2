import { accountTools } from './account.ts';
import { marketTools } from './markets.ts';
import { orderTools } from './orders.ts';
import type { Tool } from './tool.ts';

/** Every tool, in the order in which clients list them. */
export const tools: readonly Tool[] = [...marketTools, ...accountTools, ...orderTools];
