/** The name that a mistyped one probably means: at most two edits away, or a third of its length; else null. */
export function closest(typed, names) {
  const ranked = names.map((name) => ({ name, edits: editsBetween(typed, name) })).sort((a, b) => a.edits - b.edits);
  const [first] = ranked;
  return first !== undefined && first.edits <= Math.max(2, Math.floor(typed.length / 3)) ? first.name : null;
}

/** The Damerau-Levenshtein distance: the number of characters to insert, drop or replace, or neighbours to swap. */
function editsBetween(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i += 1) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2][j - 2] + 1 : Infinity;
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced, swapped);
    }
  }
  return rows[a.length][b.length];
}
