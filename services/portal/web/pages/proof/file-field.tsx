import { useState } from 'preact/hooks';
import { Labeled } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';

export interface FileFieldProps {
  readonly label: string;
  readonly hint: string;
  /** Handles the file's text, and returns a sentence about it. An error is shown beside the field. */
  readonly onText: (text: string) => Promise<string>;
}

/** Receipts of 100,000 orders have about 40 MB. */
const BYTES_MAX = 64 * 1024 * 1024;

export function FileField({ label, hint, onText }: FileFieldProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const [result, setResult] = useState<string | null>(null);
  const take = async (file: File): Promise<void> => {
    setFailure(null);
    setResult(null);
    try {
      if (file.size > BYTES_MAX) throw new Error('This file has more than 64 MiB.');
      setResult(await onText(await file.text()));
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <Labeled label={label} hint={hint} error={failure}>
        {(names) => (
          <input
            {...names}
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file !== undefined) void take(file);
              // Clears the input, so that the same file can be chosen again.
              currentTarget.value = '';
            }}
          />
        )}
      </Labeled>
      {result !== null && <Notice kind="success">{result}</Notice>}
    </>
  );
}
