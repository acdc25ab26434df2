/** The time after the Back button in which a page counts as returned to: enough for its rendering. */
const RETURN_MS = 500;
/** The frames that a page needs until it has its full height. */
const FRAMES_MAX = 30;

/** The scroll position of each address when the person left it. */
const scrolled = new Map<string, number>();
let returnedAtMs = Number.NEGATIVE_INFINITY;

/** Whether the person has just used the Back or Forward button. The page then shows its earlier state. */
export function isReturning(): boolean {
  return performance.now() - returnedAtMs < RETURN_MS;
}

/** Replaces the browser's restoring of scroll positions, which happens before a page has its full height. */
export function followHistory(): void {
  history.scrollRestoration = 'manual';
  window.addEventListener('popstate', () => (returnedAtMs = performance.now()));
  window.addEventListener('scroll', () => scrolled.set(address(), window.scrollY), { passive: true });
}

/** Scrolls a newly opened page to the top, and a page that the person returned to to its former position. */
export function scrollToPlace(): void {
  const top = isReturning() ? (scrolled.get(address()) ?? 0) : 0;
  let frames = 0;
  const step = (): void => {
    window.scrollTo(0, top);
    frames += 1;
    if (window.scrollY < top - 1 && frames < FRAMES_MAX) requestAnimationFrame(step);
  };
  step();
}

const address = (): string => location.pathname + location.search;
