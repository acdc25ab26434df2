import { useEffect, useState } from 'preact/hooks';

const ATTENDED_MS = 5 * 60_000;
const EVENTS = ['keydown', 'pointerdown', 'pointermove', 'visibilitychange'] as const;

/** Whether a person used the page in the last 5 minutes. Else its reads would prolong the session for ever. */
export function useAttended(): boolean {
  const [isAttended, setIsAttended] = useState(true);
  useEffect(() => {
    let timer = 0;
    const used = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(() => setIsAttended(false), ATTENDED_MS);
      setIsAttended(true);
    };
    used();
    for (const event of EVENTS) document.addEventListener(event, used, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const event of EVENTS) document.removeEventListener(event, used);
    };
  }, []);
  return isAttended;
}
