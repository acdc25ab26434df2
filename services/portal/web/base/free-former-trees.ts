import { options } from 'preact';
import type { VNode } from 'preact';

/** An element of Preact 10, whose build shortens names: `__k` has its children, `__c` its component. */
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
 * Frees the former tree of a component that renders again. Preact renders the component into a copy of its element, and
 * the parent's props keep the first element with its tree. Parts that did not change belong to both trees and point to
 * the newest one, so the first tree would keep all later ones in memory.
 */
export function freeFormerTrees(): void {
  const hooks = options as Hooks;
  const { vnode, __c: commit } = hooks;
  let former: RenderedElement | null = null;
  hooks.vnode = (element) => {
    // Only a copy has a component at this moment, and the component still refers to the former element.
    if (element.__c !== null) former = element.__c.__v;
    vnode?.(element);
  };
  hooks.__c = (root, queue) => {
    if (former !== null && former !== root && former.__c === root.__c) former.__k = null;
    former = null;
    commit?.(root, queue);
  };
}
