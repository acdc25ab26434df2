import { spawn } from 'node:child_process';
import { openSync, read, statSync, writeSync } from 'node:fs';
import { createRandom } from '@paper/testkit';
import * as fuse from './fuse.ts';
import { VolatileFile } from './volatile-file.ts';
import type { Survivors } from './volatile-file.ts';

/**
 * A message to the disk's process, which serves the file `disk` over FUSE and flushes a write at fsync. `freeze`: stop
 * answering soon, as without power. `lie`: acknowledge flushes without doing them. `lose`: drop the unflushed writes
 * except the survivors, and exit.
 */
export type DiskMessage = 'freeze' | 'lie' | { readonly lose: Survivors; readonly seed: number };

/** A report of the disk's process: mounted, frozen, or the number of unflushed blocks at the loss of power. */
export type DiskReport = 'mounted' | 'frozen' | { readonly unflushed: number };

const [content = '', folder = ''] = process.argv.slice(2);
const { size } = statSync(content);
const file = new VolatileFile(content);
const device = openSync('/dev/fuse', 'r+');
let isFrozen = false;
let isLying = false;
/** Whether the disk freezes at the next flush, without doing it, or at the latest after a while. */
let freezes = false;
const FREEZES_WITHIN_MS = 1_000;

const report = (what: DiskReport, then: () => void = () => undefined): void => void process.send?.(what, then);

function answer(request: fuse.Request): Buffer | number | null {
  const { body, node, opcode } = request;
  switch (opcode) {
    case fuse.OPCODE.INIT:
      return fuse.initBody();
    case fuse.OPCODE.LOOKUP:
      return fuse.entryBody(body, size) ?? fuse.ENOENT;
    case fuse.OPCODE.GETATTR:
    case fuse.OPCODE.SETATTR:
      return fuse.attributesBody(node, size);
    case fuse.OPCODE.OPEN:
    case fuse.OPCODE.OPENDIR:
      return fuse.opened();
    case fuse.OPCODE.READ: {
      const asked = fuse.parseReadRequest(body);
      return file.read(asked.offset, Math.min(asked.size, Math.max(0, size - asked.offset)));
    }
    case fuse.OPCODE.WRITE: {
      const { data, offset } = fuse.parseWriteRequest(body);
      file.write(offset, data);
      return fuse.writtenBody(data.length);
    }
    case fuse.OPCODE.FSYNC:
      if (freezes && file.unflushed > 0) {
        freeze();
        return null;
      }
      if (!isLying) file.flush();
      return Buffer.alloc(0);
    case fuse.OPCODE.STATFS:
      return fuse.statfsBody(size);
    case fuse.OPCODE.FLUSH:
    case fuse.OPCODE.RELEASE:
    case fuse.OPCODE.RELEASEDIR:
    case fuse.OPCODE.READDIR:
    case fuse.OPCODE.DESTROY:
      return Buffer.alloc(0);
    case fuse.OPCODE.FORGET:
    case fuse.OPCODE.BATCH_FORGET:
    case fuse.OPCODE.INTERRUPT:
      return null;
    default:
      return fuse.ENOSYS;
  }
}

function freeze(): void {
  if (isFrozen) return;
  isFrozen = true;
  report('frozen');
}

const bytes = Buffer.alloc(fuse.REQUEST_BYTES_MAX);

function next(): void {
  if (isFrozen) return;
  read(device, bytes, 0, bytes.length, null, (error) => {
    if (isFrozen) return;
    if (error?.code === 'EPERM') {
      // The file system is not mounted yet.
      setTimeout(next, 2);
      return;
    }
    if (error !== null) {
      // ENODEV: the disk was unmounted, which is the normal end. An interrupted read is repeated.
      if (error.code === 'ENODEV') process.exit(0);
      if (error.code !== 'EINTR' && error.code !== 'ENOENT' && error.code !== 'EAGAIN') throw error;
    } else {
      const request = fuse.requestOf(bytes);
      const content = answer(request);
      if (content !== null) respond(fuse.answerTo(request, content));
    }
    next();
  });
}

/** The requesting process may have been killed before the answer. */
function respond(answered: Buffer): void {
  try {
    writeSync(device, answered);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

process.on('message', (message: DiskMessage) => {
  if (message === 'lie') {
    isLying = true;
    return;
  }
  if (message === 'freeze') {
    freezes = true;
    setTimeout(freeze, FREEZES_WITHIN_MS);
    return;
  }
  const { unflushed } = file;
  file.losePower(message.lose, createRandom(message.seed));
  report({ unflushed }, () => process.exit(0));
});

process.once('disconnect', () => process.exit(0));

next();
const mounting = spawn(
  'mount',
  ['-i', '-t', 'fuse', '-o', 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other', 'volatile', folder],
  { stdio: ['ignore', 'inherit', 'inherit', device] },
);
mounting.once('exit', (code) => {
  if (code === 0) report('mounted');
  else process.exit(1);
});
