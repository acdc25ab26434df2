import { useUniqueId } from '../../ui/use-unique-id.ts';
import { Button } from '../../ui/button.tsx';
import { percentText, timeText } from '../../ui/format.ts';
import type { Moment } from './use-past.ts';

/** `Nov 23, 07:14:05 UTC+1: 55.5%`. */
export function momentText({ at, probability }: Pick<Moment, 'at' | 'probability'>): string {
  return `${timeText(at, true)}: ${percentText(probability)}`;
}

export interface TimeSliderProps {
  /** Oldest first. */
  readonly moments: readonly Moment[];
  /** Null for the present. */
  readonly moment: Moment | null;
  readonly onMoment: (moment: Moment | null) => void;
}

export function TimeSlider({ moments, moment, onMoment }: TimeSliderProps) {
  const id = useUniqueId();
  const at = moment === null ? moments.length : moments.findIndex(({ seq }) => seq === moment.seq);
  const text = moment === null ? 'Now' : momentText(moment);
  return (
    <div class="time-slider">
      <div class="panel-head">
        <label for={id}>History</label>
        <output for={id} class="number">
          {text}
        </output>
        <Button disabled={moment === null} onClick={() => onMoment(null)}>
          Now
        </Button>
      </div>
      <input
        id={id}
        type="range"
        min={0}
        max={moments.length}
        step={1}
        value={at}
        disabled={moments.length === 0}
        aria-valuetext={text}
        onInput={({ currentTarget }) => onMoment(moments[Number(currentTarget.value)] ?? null)}
      />
    </div>
  );
}
