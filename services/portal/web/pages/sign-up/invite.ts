/** The token of an invite. The text is either the link that an operator made, or the token alone. */
export function inviteOf(text: string): string {
  const given = text.trim();
  if (!URL.canParse(given)) return given;
  return new URL(given).searchParams.get('invite') ?? given;
}
