import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';

type Kind = readonly [name: string, status: number, make: (random: Random) => string | Buffer];

/** An endless, seeded sequence of garbage for a socket. The sender must close its side after each item. */
export function* badBytes(seed: number, path: string): Generator<ReturnType<typeof makeBytes>, never> {
  const random = createRandom(seed);
  for (let index = 0; ; index++) yield makeBytes(random, kinds(path)[index % kinds(path).length] as Kind);
}

/** Picks a malformed request of any kind. */
export function anyBadBytes(random: Random, path: string) {
  return makeBytes(random, random.pick(kinds(path)));
}

/** Bytes that are no whole request: the server answers with this status, or closes the connection. */
function makeBytes(random: Random, [name, status, make]: Kind) {
  const made = make(random);
  return { name, status, bytes: typeof made === 'string' ? Buffer.from(made, 'latin1') : made };
}

function kinds(path: string): readonly Kind[] {
  const post = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  return [
    ['noise', 400, (random) => Buffer.from(Array.from({ length: random.int(8, 400) }, () => random.int(128, 255)))],
    ['a TLS hello', 400, () => Buffer.from('16030100a5010000a10303', 'hex')],
    ['words', 400, () => 'hello there\r\n\r\n'],
    ['an unknown method', 400, () => `FETCH ${path} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['an unknown version', 400, () => `GET ${path} HTTP/9.7\r\nHost: x\r\n\r\n`],
    ['no host', 400, () => `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ['two hosts', 400, () => `GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`],
    ['a header without a colon', 400, () => `GET ${path} HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n`],
    ['a header with a space in its name', 400, () => `GET ${path} HTTP/1.1\r\nHost: x\r\nX Y: z\r\n\r\n`],
    ['a header with NUL', 400, () => `GET ${path} HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n`],
    ['a path with a space', 400, () => `GET ${path} x HTTP/1.1\r\nHost: x\r\n\r\n`],
    [
      'headers too large',
      431,
      (random) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(random.int(17_000, 90_000))}\r\n\r\n`,
    ],
    [
      'a path too long',
      431,
      (random) => `GET ${path}?${'a'.repeat(random.int(17_000, 90_000))} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ],
    ['two lengths', 400, () => `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a negative length', 400, () => `${post}Content-Length: -1\r\n\r\n{}`],
    ['a length and chunks', 400, () => `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an unknown transfer coding', 400, () => `${post}Transfer-Encoding: gzip\r\n\r\n{}`],
    ['a chunk of no size', 400, () => `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['headers cut off', 400, (random) => post.slice(0, random.int(8, post.length - 1))],
  ];
}
