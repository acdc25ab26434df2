import { useEffect, useRef, useState } from 'preact/hooks';

/** A number that changes with the value, at most once in each period. */
export function useThrottled(value: string | number, periodMs: number): number {
  const [turn, setTurn] = useState(0);
  const seen = useRef({ value, timer: 0 });
  useEffect(() => {
    const { current } = seen;
    if (current.value === value || current.timer !== 0) return;
    current.timer = window.setTimeout(() => {
      current.timer = 0;
      current.value = value;
      setTurn((before) => before + 1);
    }, periodMs);
  }, [value, turn, periodMs]);
  useEffect(() => () => clearTimeout(seen.current.timer), []);
  return turn;
}
