/** For searches: NFKC and upper case, which has one form where lower case has several (ß and ss, σ and ς). */
export function searchForm(text: string): string {
  return text.normalize('NFKC').toUpperCase().normalize('NFKC');
}
