import type { Permission } from '@paper/contracts';
import { accountTools } from './account.ts';
import { marketTools } from './markets.ts';
import { openOrderTools } from './open-orders.ts';
import { preparedOrderTools } from './prepared-orders.ts';
import { permitsTool } from './tool.ts';
import type { ListedTool, Tool } from './tool.ts';

/** Every tool, in the order in which clients list them. */
export const tools: readonly Tool[] = [...marketTools, ...accountTools, ...preparedOrderTools, ...openOrderTools];

interface ToolListing {
  readonly tools: readonly ListedTool[];
  readonly bytes: number;
}

const listings = new Map<string, ToolListing>();

/** The tools of keys with these permissions, as `tools/list` returns them. Made once for each set of permissions. */
export function listingOf(permissions: readonly Permission[]): ToolListing {
  const set = [...new Set(permissions)].sort().join();
  let listing = listings.get(set);
  if (listing === undefined) {
    const listed = tools.filter((tool) => permitsTool(tool, permissions)).map((tool) => tool.listed);
    listing = { tools: listed, bytes: Buffer.byteLength(JSON.stringify(listed)) };
    listings.set(set, listing);
  }
  return listing;
}
