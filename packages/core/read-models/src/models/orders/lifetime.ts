/**
 * Finds the orders of an account that were live at a sequence, without reading the others. An order's lifetime goes
 * from its placement to the event before its end. Its node is the sequence in it that is divisible by the highest power
 * of two. An order that was live at a sequence has its node among the few of `lifetimeNodesAround`, one for each power
 * of two. All orders of a node were live at that sequence, so they are at most as many as an account may have open.
 * (Kriegel, Pötke, Seidl: Managing Intervals Efficiently in Object-Relational Databases, VLDB 2000.)
 */

/** The first bit in which the two ends of a lifetime differ, counted from the left of 64. */
const FIRST_DIFFERENCE = `position(B'1' in ((created_seq - 1) # (ended_seq - 1))::bit(64))`;

/** The node of an ended order, computed from its columns. A query must use the index's exact expression. */
export const LIFETIME_NODE = `((ended_seq - 1) >> (64 - ${FIRST_DIFFERENCE})) << (64 - ${FIRST_DIFFERENCE})`;

/** The nodes of lifetimes that can contain `seq`. No lifetime reaches beyond `end`. */
export function lifetimeNodesAround(seq: number, end: number): readonly number[] {
  const nodes: number[] = [];
  // Multiplication instead of shifts: sequences are larger than the whole numbers that JavaScript shifts.
  for (let power = 1; power <= end; power *= 2) {
    const node = Math.floor(seq / (2 * power)) * 2 * power + power;
    if (node <= end) nodes.push(node);
  }
  return nodes;
}
