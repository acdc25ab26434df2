import { Component } from 'preact';
import type { ComponentType } from 'preact';

/** Renders again only if a prop has changed. Unlike `useMemo` of elements, it does not keep former trees. */
export function memo<P extends object>(Rendered: ComponentType<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return (Object.keys(next) as (keyof P)[]).some((name) => next[name] !== this.props[name]);
    }

    override render() {
      return <Rendered {...this.props} />;
    }
  };
}
