/** The portal's own errors, in addition to those of the API, and their statuses. */
const PORTAL_ERRORS = {
  unknown_host: 421,
  origin_refused: 403,
  proof_required: 403,
  not_signed_in: 401,
  wrong_credentials: 401,
  name_taken: 409,
  sign_up_closed: 403,
  /** A link, a code or a challenge is used, too old, or unknown. */
  expired: 400,
  sign_in_unavailable: 403,
} as const;

/** An error of the portal, which becomes `{error, code}`. For codes of the API there is `ApiError`. */
export class PortalError extends Error {
  override readonly name = 'PortalError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: keyof typeof PORTAL_ERRORS,
    message: string,
  ) {
    super(message);
    this.status = PORTAL_ERRORS[code];
    // HTTP requires every 401 to name a scheme; the pipeline's default is the API's scheme.
    this.headers = this.status === 401 ? { 'www-authenticate': 'Session' } : {};
  }
}

export function notSignedIn(): PortalError {
  return new PortalError('not_signed_in', 'You are not signed in, or your session has ended: sign in');
}
