import type { ComponentChildren, ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Loading fails while the service is down, and permanently after an update. */
const RETRY_MS = 3_000;

/** A component whose code is loaded when it is first shown; until then there is the placeholder. */
export function lazy<P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
  placeholder: ComponentChildren = null,
): FunctionComponent<P> {
  let loaded: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const [, setLoaded] = useState(loaded !== null);
    useEffect(() => {
      if (loaded !== null) return undefined;
      let timer = 0;
      let isGone = false;
      const read = (): void => {
        load().then(
          ({ default: component }) => {
            loaded = component;
            if (!isGone) setLoaded(true);
          },
          () => {
            if (!isGone) timer = window.setTimeout(read, RETRY_MS);
          },
        );
      };
      read();
      return () => {
        isGone = true;
        clearTimeout(timer);
      };
    }, []);
    if (loaded === null) return <>{placeholder}</>;
    const Loaded: ComponentType<P> = loaded;
    return <Loaded {...props} />;
  };
}
