/** How long after the Back button a page counts as returned to: until it has rendered. */
const RETURN_MS = 500;
/** Frames in which a page gets its height back. */
const FRAMES_MAX = 30;

/** How far each address was scrolled when it was left. */
const scrolled = new Map<string, number>();
let returnedAtMs = Number.NEGATIVE_INFINITY;

/** Whether the person has just used the Back or Forward button. The page then shows its earlier state. */
export function isReturning(): boolean {
  return performance.now() - returnedAtMs < RETURN_MS;
}

/**
 * Begins to follow the history of the tab, instead of the browser, which restores the scroll position before a page has
 * its height.
 */
export function followHistory(): void {
  history.scrollRestoration = 'manual';
  window.addEventListener('popstate', () => (returnedAtMs = performance.now()));
  window.addEventListener('scroll', () => scrolled.set(address(), window.scrollY), { passive: true });
}

/** Scrolls to the top of a page that was opened, and to where the person was on one that they returned to. */
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

function address(): string {
  return location.pathname + location.search;
}
