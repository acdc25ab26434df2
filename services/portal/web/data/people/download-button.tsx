import { Button } from '../../ui/button.tsx';
import type { ButtonProps } from '../../ui/button.tsx';

export interface DownloadButtonProps extends Pick<ButtonProps, 'children' | 'disabled'> {
  readonly fileName: string;
  readonly text: () => string;
}

/** Saves a text as a file, which the browser makes: nothing is sent. */
export function DownloadButton({ fileName, text, ...button }: DownloadButtonProps) {
  const download = (): void => {
    const address = URL.createObjectURL(new Blob([text()], { type: 'application/octet-stream' }));
    Object.assign(document.createElement('a'), { href: address, download: fileName }).click();
    URL.revokeObjectURL(address);
  };
  return <Button {...button} onClick={download} />;
}
