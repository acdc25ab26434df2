/**
 * The form in which searches compare texts: any case, and any spelling of the same characters (NFKC). It is in capitals,
 * since those have one form where small letters have several (ß and ss, σ and ς).
 */
export function searchForm(text: string): string {
  return text.normalize('NFKC').toUpperCase().normalize('NFKC');
}
