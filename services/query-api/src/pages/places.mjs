/**
 * Keeps every market of a list in its place for as long as the list has it: nothing moves under the cursor. A market
 * that comes takes the place of one that went.
 *
 * @param {number} count places
 */
export function keepPlaces(count) {
  let ids = [];
  return {
    /**
     * @template {{ id: string }} T
     * @param {readonly T[]} markets the most important first; may be more than there are places
     * @returns {T[]}
     */
    of(markets) {
      const byId = new Map(markets.map((market) => [market.id, market]));
      const free = markets.map(({ id }) => id).filter((id) => !ids.includes(id));
      ids = ids.map((id) => (byId.has(id) ? id : free.shift())).filter((id) => id !== undefined);
      ids.push(...free.slice(0, count - ids.length));
      return ids.map((id) => byId.get(id));
    },
  };
}
