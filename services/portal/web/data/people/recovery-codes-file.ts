type Contents = Readonly<{ publicUrl: string; signInName: string; codes: readonly string[]; createdAt: Date }>;

export function recoveryCodesFile({ publicUrl, signInName, codes, createdAt }: Contents): string {
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
