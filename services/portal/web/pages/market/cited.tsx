import { httpAddress } from './http-link.ts';

export function Cited({ text, address }: { readonly text: string; readonly address: string | null }) {
  const href = httpAddress(address);
  if (href === null) return <>{text}</>;
  return (
    <a href={href} rel="noopener noreferrer">
      {text}
    </a>
  );
}
