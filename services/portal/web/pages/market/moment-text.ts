import { localText, percentText } from '../../ui/format.ts';
import type { Moment } from './use-past.ts';

/** A moment with its probability: `Nov 23, 2026, 07:14:05 – 55.5%`. */
export function momentText({ at, probability }: Pick<Moment, 'at' | 'probability'>): string {
  return `${localText(at)}:${at.slice(17, 19)} – ${percentText(probability)}`;
}
