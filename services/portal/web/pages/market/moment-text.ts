import { clockText, dayText, percentText, zoneText } from '../../ui/format.ts';
import type { Moment } from './use-past.ts';

/** A moment with its probability: `Nov 23, 2026, 07:14:05 UTC+1 – 55.5%`. */
export function momentText({ at, probability }: Pick<Moment, 'at' | 'probability'>): string {
  return `${dayText(at)}, ${clockText(at)} ${zoneText(at)} – ${percentText(probability)}`;
}
