import { useEffect } from 'preact/hooks';
import { SERVICE_NAME } from '../../src/pages/paths.ts';

/** Sets the title of the tab; null keeps the title from PAGES. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} – ${SERVICE_NAME}`;
  }, [title]);
}
