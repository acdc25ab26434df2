import type { Permission } from '@paper/contracts';
import { permitsTool } from './tool.ts';
import type { ListedTool } from './tool.ts';
import { tools } from './tools.ts';

/** The tools for some set of permissions, as `tools/list` returns them. */
export interface ToolListing {
  readonly tools: readonly ListedTool[];
  /** The size of the list as JSON. */
  readonly bytes: number;
}

const listings = new Map<string, ToolListing>();

/** The tools of keys with these permissions; made once for each set of permissions. */
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
