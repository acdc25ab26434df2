import type { StoredEvent } from '@paper/journal';

/** A stored event for an audit: whole, or with a digest instead of its withheld private text. */
export interface AuditableEvent extends StoredEvent {
  /** SHA-256 (hex) of the private text that was withheld; 64 zeros where the event never had one. */
  readonly privateDigest?: string;
}
