import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useUniqueId } from './use-unique-id.ts';

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Called when the person closes the dialog, also by Escape. The caller must then stop rendering it. */
  readonly onClose: () => void;
}

/** A modal dialog. It uses the browser's own dialog, which keeps the focus inside and restores it at the end. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useUniqueId();
  useEffect(() => {
    const { current } = element;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
