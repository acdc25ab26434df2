import { Notice } from './notice.tsx';

export interface ReadNoticeProps {
  /** The data; null before the first answer. */
  readonly data: unknown;
  /** The error of the newest read; null after a success. */
  readonly error: Error | null;
}

/** A notice that something is being read, or of the reason why it cannot be read. */
export function ReadNotice({ data, error }: ReadNoticeProps) {
  if (error !== null) return <Notice kind="error">{error.message}</Notice>;
  return data === null ? <p class="quiet loading">Loading …</p> : null;
}
