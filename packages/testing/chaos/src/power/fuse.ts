/** The part of the kernel's FUSE protocol (linux/fuse.h, 7.31) that serves one file, `disk`, in one folder. */
export const OPCODE = {
  LOOKUP: 1,
  FORGET: 2,
  GETATTR: 3,
  SETATTR: 4,
  OPEN: 14,
  READ: 15,
  WRITE: 16,
  STATFS: 17,
  RELEASE: 18,
  FSYNC: 20,
  FLUSH: 25,
  INIT: 26,
  OPENDIR: 27,
  READDIR: 28,
  RELEASEDIR: 29,
  INTERRUPT: 36,
  DESTROY: 38,
  BATCH_FORGET: 42,
} as const;

export const ENOENT = 2;
export const ENOSYS = 38;

/** The largest size of one write in bytes; a request is slightly larger. */
export const WRITE_BYTES_MAX = 128 * 1024;
export const REQUEST_BYTES_MAX = WRITE_BYTES_MAX + 8_192;

const IN_HEADER = 40;
const OUT_HEADER = 16;
const ROOT = 1n;
const DISK = 2n;
const BIG_WRITES = 1 << 5;
const MAX_PAGES = 1 << 22;

export interface Request {
  readonly opcode: number;
  readonly unique: bigint;
  readonly node: bigint;
  readonly body: Buffer;
}

export function requestOf(bytes: Buffer): Request {
  return {
    body: bytes.subarray(IN_HEADER, bytes.readUInt32LE(0)),
    node: bytes.readBigUInt64LE(16),
    opcode: bytes.readUInt32LE(4),
    unique: bytes.readBigUInt64LE(8),
  };
}

/** Encodes an answer: its content, or an error number. */
export function answerTo({ unique }: Request, content: Buffer | number): Buffer {
  const body = typeof content === 'number' ? Buffer.alloc(0) : content;
  const header = Buffer.alloc(OUT_HEADER);
  header.writeUInt32LE(OUT_HEADER + body.length, 0);
  header.writeInt32LE(typeof content === 'number' ? -content : 0, 4);
  header.writeBigUInt64LE(unique, 8);
  return Buffer.concat([header, body]);
}

export function initBody(): Buffer {
  const body = Buffer.alloc(64);
  body.writeUInt32LE(7, 0);
  body.writeUInt32LE(31, 4);
  body.writeUInt32LE(WRITE_BYTES_MAX, 8);
  body.writeUInt32LE(BIG_WRITES | MAX_PAGES, 12);
  body.writeUInt16LE(16, 16);
  body.writeUInt16LE(12, 18);
  body.writeUInt32LE(WRITE_BYTES_MAX, 20);
  body.writeUInt32LE(1, 24);
  body.writeUInt16LE(WRITE_BYTES_MAX / 4_096, 28);
  return body;
}

/** The attributes of the folder or the disk. The kernel must not cache them. */
export function attributesOf(node: bigint, size: number): Buffer {
  const isRoot = node === ROOT;
  const attributes = Buffer.alloc(88);
  attributes.writeBigUInt64LE(node, 0);
  attributes.writeBigUInt64LE(BigInt(isRoot ? 0 : size), 8);
  attributes.writeBigUInt64LE(BigInt(isRoot ? 0 : size / 512), 16);
  attributes.writeUInt32LE(isRoot ? 0o040700 : 0o100600, 60);
  attributes.writeUInt32LE(isRoot ? 2 : 1, 64);
  attributes.writeUInt32LE(4_096, 80);
  return attributes;
}

export function attributesBody(node: bigint, size: number): Buffer {
  return Buffer.concat([Buffer.alloc(16), attributesOf(node, size)]);
}

/** The directory entry of the disk; null for another name. */
export function entryBody(name: Buffer, size: number): Buffer | null {
  if (name.toString('utf8').replace(/\0.*$/s, '') !== 'disk') return null;
  const head = Buffer.alloc(40);
  head.writeBigUInt64LE(DISK, 0);
  return Buffer.concat([head, attributesOf(DISK, size)]);
}

export const opened = (): Buffer => Buffer.alloc(16);

export function statfsBody(size: number): Buffer {
  const body = Buffer.alloc(80);
  body.writeBigUInt64LE(BigInt(size / 4_096), 0);
  body.writeUInt32LE(4_096, 40);
  body.writeUInt32LE(255, 44);
  body.writeUInt32LE(4_096, 48);
  return body;
}

export function parseReadRequest(body: Buffer): { readonly offset: number; readonly size: number } {
  return { offset: Number(body.readBigUInt64LE(8)), size: body.readUInt32LE(16) };
}

export function parseWriteRequest(body: Buffer): { readonly offset: number; readonly data: Buffer } {
  return { data: body.subarray(40, 40 + body.readUInt32LE(16)), offset: Number(body.readBigUInt64LE(8)) };
}

export function writtenBody(bytes: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt32LE(bytes, 0);
  return body;
}
