import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { nodeOptionsFor } from '@paper/runtime';
import { expect } from 'chai';

describe('work with a small heap', () => {
  it('takes less memory for the same garbage, and leaves V8 as it was', async () => {
    const program = path.join(import.meta.dirname, 'heap-process.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [...nodeOptionsFor(program), program]);
    const { small, free } = JSON.parse(stdout) as { readonly small: number; readonly free: number };
    expect(small / free).to.be.within(0.1, 0.8);
  });
});
