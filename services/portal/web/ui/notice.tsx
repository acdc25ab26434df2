import type { ComponentChildren } from 'preact';

type NoticeProps = Readonly<{ kind: 'info' | 'success' | 'warning' | 'error'; children: ComponentChildren }>;

/** A message about what happened. Screen readers announce it when it appears, an error at once. */
export function Notice({ kind, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

export function ReadNotice({ data, error }: { readonly data: unknown; readonly error: Error | null }) {
  if (error !== null) return <Notice kind="error">{error.message}</Notice>;
  return data === null ? <p class="quiet loading">Loading …</p> : null;
}
