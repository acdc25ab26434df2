import { accountTools } from './account.ts';
import { marketTools } from './markets.ts';
import { openOrderTools } from './open-orders.ts';
import { preparedOrderTools } from './prepared-orders.ts';
import type { Tool } from './tool.ts';

/** Every tool, in the order in which clients list them. */
export const tools: readonly Tool[] = [...marketTools, ...accountTools, ...preparedOrderTools, ...openOrderTools];
