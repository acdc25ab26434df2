/** Maps characters that look alike to one of them, by the confusables of Unicode TR39. */
declare module 'unhomoglyph' {
  export default function unhomoglyph(text: string): string;
}
