import { useEffect, useState } from 'preact/hooks';
import { whenIdle } from './when-idle.ts';

/** Whether the page has been idle since it was first shown. */
export function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => whenIdle(() => setIsIdle(true)), []);
  return isIdle;
}
