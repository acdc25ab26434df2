/** Reads server-sent events. `next`: the lines up to the next blank line; null at the clean end of the stream. */
export function eventBlocks(answer: Response): {
  readonly next: () => Promise<string | null>;
  readonly leave: () => Promise<void>;
} {
  if (answer.body === null) throw new Error('no body');
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          return block;
        }
        const { done, value } = await reader.read();
        if (done) return null;
        text += value;
      }
    },
    leave: () => reader.cancel(),
  };
}
