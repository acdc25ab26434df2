/**
 * Keeps every market of a list in its row for as long as the list has it, so that nothing moves under the cursor. A new
 * market takes the row of one that went.
 * @param {number} count rows
 */
export function keepPlaces(count) {
  let ids = [];
  return {
    /**
     * @template {{ id: string }} T
     * @param {readonly T[]} markets the most important first; may be more than there are rows
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
