import { Component } from 'preact';
import type { ComponentType } from 'preact';

/**
 * A component that renders again only when one of its props is another value. An element kept in `useMemo` would keep
 * the tree that it was first part of; two of them in a page chain their trees, and none is ever freed.
 */
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
