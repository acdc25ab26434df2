/** The text of the file in which a person stores recovery codes. */
export function recoveryCodesFile(options: {
  readonly publicUrl: string;
  readonly signInName: string;
  readonly codes: readonly string[];
  readonly createdAt: Date;
}): string {
  const { publicUrl, signInName, codes, createdAt } = options;
  return [
    `Recovery codes for ${publicUrl}`,
    `Sign-in name: ${signInName}`,
    `Made: ${createdAt.toISOString()}`,
    '',
    'Each code works once. Whoever has one and your sign-in name can take over your account.',
    `Use one at ${new URL('/recover', publicUrl).href}`,
    '',
    ...codes,
    '',
  ].join('\n');
}
