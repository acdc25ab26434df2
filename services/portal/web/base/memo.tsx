import { Component } from 'preact';
import type { ComponentType } from 'preact';

/**
 * A component that renders again only when one of its props is another value.
 * Keeping an element in `useMemo` instead would keep the tree that the element was first part of. If a page keeps two
 * such elements, each tree references the previous one, and none is ever freed.
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
