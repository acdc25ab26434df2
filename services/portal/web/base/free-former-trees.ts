import { options } from 'preact';
import type { VNode } from 'preact';

/** An element of Preact 10, with the minified names of its fields: the children and the component. */
interface RenderedElement extends VNode {
  __k: readonly unknown[] | null;
  readonly __c: { readonly __v: RenderedElement } | null;
}

/** Preact's hooks: `vnode` is called with each new element, `__c` with the root of each finished rendering. */
interface Hooks {
  vnode?: (element: RenderedElement) => void;
  __c?: (root: RenderedElement, queue: unknown) => void;
}

/**
 * Frees the tree that a component showed before it rendered itself again. Preact renders a changed component into a
 * copy of its element; the element itself stays among its parent's props, with the first tree. A part that needs no
 * rendering is shared by the former and the present tree and points to the newest one, so the first tree keeps all
 * later ones in memory.
 */
export function freeFormerTrees(): void {
  const hooks = options as Hooks;
  const { vnode, __c: commit } = hooks;
  let former: RenderedElement | null = null;
  hooks.vnode = (element) => {
    // At this moment only a copy has a component already, and the component still refers to the former element.
    if (element.__c !== null) former = element.__c.__v;
    vnode?.(element);
  };
  hooks.__c = (root, queue) => {
    if (former !== null && former !== root && former.__c === root.__c) former.__k = null;
    former = null;
    commit?.(root, queue);
  };
}
