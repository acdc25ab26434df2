/**
 * The form in which searches compare texts: without case, and with one spelling for the same characters (NFKC). It is
 * in upper case, which has one form where lower case has several (ß and ss, σ and ς).
 */
export function searchForm(text: string): string {
  return text.normalize('NFKC').toUpperCase().normalize('NFKC');
}
