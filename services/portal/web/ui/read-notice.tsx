import { Notice } from './notice.tsx';

export interface ReadNoticeProps {
  readonly data: unknown;
  readonly error: Error | null;
}

/** Says that something is being read, or why it cannot be. */
export function ReadNotice({ data, error }: ReadNoticeProps) {
  if (error !== null) return <Notice kind="error">{error.message}</Notice>;
  return data === null ? <p class="quiet loading">Loading …</p> : null;
}
