import type { MomentsBody } from '@paper/contracts';
import { useId, useRef } from 'preact/hooks';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { localText, percentText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import type { Moment } from './use-past.ts';

export interface TimeSliderProps {
  readonly marketId: string;
  /** The moment that it stands on; null: the present. */
  readonly moment: Moment | null;
  readonly onMoment: (moment: Moment | null) => void;
}

const POINTS = 300;
const REFRESH_MS = 20_000;
const NO_MOMENTS: readonly Moment[] = [];

/** Goes back through the history of a market. The arrow keys step from event to event. */
export function TimeSlider({ marketId, moment, onMoment }: TimeSliderProps) {
  const { error, moments } = useMoments(marketId, moment !== null);
  const id = useId();
  const at = moment === null ? moments.length : moments.findIndex(({ seq }) => seq === moment.seq);
  const text = momentText(moment);
  return (
    <div class="time-slider">
      <div class="panel-head">
        <label for={id}>Back in time</label>
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
      {error !== null && <Notice kind="error">{error.message}</Notice>}
    </div>
  );
}

/** The steps of the slider. While it stands in the past they stay the same, so that it stays on its step. */
function useMoments(marketId: string, isPast: boolean) {
  const path = `/api/markets/${encodeURIComponent(marketId)}/moments?points=${POINTS}`;
  const { data, error } = useRead<MomentsBody>(path, { everyMs: REFRESH_MS });
  const shown = useRef(NO_MOMENTS);
  if (!isPast && data !== null) shown.current = data.moments;
  return { error, moments: shown.current };
}

function momentText(moment: Moment | null): string {
  if (moment === null) return 'Now';
  return `${localText(moment.at)}:${moment.at.slice(17, 19)} – ${percentText(moment.probability)}`;
}
