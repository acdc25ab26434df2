import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { checkChain, EMPTY_HEAD, withhold } from '@paper/journal';
import type { StoredEvent, WithheldEvent } from '@paper/journal';
import { createWorkload, StoredExchange } from '@paper/testkit';

const vectors = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../core/journal/test/golden/format-1.json'), 'utf8'),
) as readonly { readonly stored: StoredEvent }[];
/** The hash in FORMAT.md's example. */
const HEAD = '0b7671efd0a9a424dfff3e5f2ca3c61cbbed9f9a171380aaa9d2cef309d16322';
const journal: readonly WithheldEvent[] = vectors.map(({ stored }) => withhold(stored));

type Damage = (events: WithheldEvent[]) => void;

const change =
  (seq: number, more: (event: WithheldEvent) => Partial<WithheldEvent>): Damage =>
  (events) => {
    const event = at(events, seq);
    events[seq - 1] = { ...event, ...more(event) };
  };
const at = (events: readonly WithheldEvent[], seq: number): WithheldEvent => {
  const event = events[seq - 1];
  if (event === undefined) throw new Error(`no event ${seq}`);
  return event;
};
/** Recomputes every hash from `seq` on, as in a rewritten history. */
const rechained =
  (seq: number, damage: Damage): Damage =>
  (events) => {
    damage(events);
    for (let index = seq - 1; index < events.length; index += 1) {
      const before = events.slice(0, index);
      const head = before.length === 0 ? EMPTY_HEAD : { hash: at(events, index).hash, seq: index };
      events[index] = { ...at(events, index + 1), hash: madeHash(head, at(events, index + 1)) };
    }
  };
function madeHash(head: { readonly hash: string; readonly seq: number }, event: WithheldEvent): string {
  try {
    return checkChain(head, [event]).hash;
  } catch (error) {
    const [, made] = /its texts give ([0-9a-f]{64})/.exec(String(error)) ?? [];
    return made ?? event.hash;
  }
}
const digit = (text: string): string => text.replace(/(?<="at":\d+)\d/, (last) => String((Number(last) + 1) % 10));

/** Each damage, the line with the fault, and the message. */
const DAMAGES: readonly (readonly [name: string, damage: Damage, line: number, said: RegExp])[] = [
  ['a changed digit', change(7, ({ publicText }) => ({ publicText: digit(publicText) })), 7, /the texts give/],
  [
    'a changed hash',
    change(5, ({ hash }) => ({ hash: hash.replace(/^./, (c) => (c === '0' ? '1' : '0')) })),
    5,
    /hash/,
  ],
  ['a changed private digest', change(4, () => ({ privateDigest: 'ab'.repeat(32) })), 4, /the texts give/],
  ['a deleted event', (events) => void events.splice(8, 1), 9, /sequence 10 stands where 9 must be/],
  ['a deleted first event', (events) => void events.shift(), 1, /sequence 2 stands where 1 must be/],
  ['an event twice', (events) => void events.splice(3, 0, at(events, 3)), 4, /sequence 3 stands where 4 must be/],
  [
    'an inserted event',
    (events) => {
      const forged = { ...at(events, 6), seq: 7 };
      events.splice(6, 0, forged);
    },
    7,
    /the texts give/,
  ],
  [
    'a swapped pair',
    (events) => void events.splice(9, 2, at(events, 11), at(events, 10)),
    10,
    /sequence 11 stands where 10 must be/,
  ],
  [
    'a pair swapped with its sequences mended',
    (events) => void events.splice(9, 2, { ...at(events, 11), seq: 10 }, { ...at(events, 10), seq: 11 }),
    10,
    /the texts give/,
  ],
  [
    'a command that was carried out twice, and every hash made anew',
    rechained(journal.length + 1, (events) => {
      const seq = journal.length + 1;
      const once = events.find(({ publicText }) => publicText.includes('"decisionEvents":1,'));
      if (once === undefined) throw new Error('no decision has one event');
      const publicText = once.publicText.replace(/"seq":\d+(?=,"version")/, `"seq":${seq}`);
      events.push({ ...once, publicText, seq });
    }),
    journal.length + 1,
    /its command [0-9a-f-]{36} was decided at sequence \d+ already/,
  ],
  ['another id beside the text', change(6, () => ({ id: at(journal, 5).id })), 6, /publicText has the id/],
  ['another type beside the text', change(6, () => ({ type: 'OrderFilled' })), 6, /publicText has the type/],
  [
    'another sequence in the text, and every hash made anew',
    rechained(
      6,
      change(6, ({ publicText }) => ({ publicText: publicText.replace('"seq":6', '"seq":5') })),
    ),
    6,
    /publicText has the sequence 5/,
  ],
  [
    'blanks in the text, and every hash made anew',
    rechained(
      6,
      change(6, ({ publicText }) => ({ publicText: publicText.replace(',', ', ') })),
    ),
    6,
    /canonical/,
  ],
  [
    'a key twice in the text, and every hash made anew',
    rechained(
      6,
      change(6, ({ publicText }) => ({ publicText: publicText.replace('{', '{"causationId":"x",') })),
    ),
    6,
    /canonical/,
  ],
  [
    'a private part taken away, and every hash made anew',
    rechained(
      1,
      change(1, () => ({ privateDigest: '0'.repeat(64) })),
    ),
    1,
    /it has no private part/,
  ],
];

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('verify-journal', function () {
  this.timeout(60_000);
  let folder: string;
  let script: string;
  let server: Server | null = null;

  const runAsProcess = (...args: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      execFile(process.execPath, [script, ...args], { cwd: folder }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  /** On a thread, with arguments and streams as of a process: it starts in a fifth of the time. */
  const run = async (...args: readonly string[]): Promise<Ended> => {
    const thread = new Worker(script, { argv: [...args], execArgv: [], stderr: true, stdout: true });
    const [stdout, stderr, [code]] = await Promise.all([
      textOf(thread.stdout),
      textOf(thread.stderr),
      once(thread, 'exit') as Promise<[number]>,
    ]);
    return { code, stdout, stderr };
  };
  const text = (events: readonly WithheldEvent[]): string =>
    events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const file = (content: string): string => {
    const name = path.join(folder, 'journal.ndjson');
    writeFileSync(name, content);
    return name;
  };
  const serve = async (answer: RequestListener): Promise<string> => {
    const started = createServer(answer);
    server = started;
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
  };
  /** Pages of four events, in the service's format. */
  const page: RequestListener = (request, response) => {
    const from = Number(new URL(request.url ?? '', 'http://x').searchParams.get('from'));
    const events = journal.slice(from - 1, from + 3);
    if (events.length === 4) response.setHeader('link', `</api/journal?from=${from + 4}>; rel="next"`);
    response.end(text(events));
  };

  // In an empty folder, since it needs no package.
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'verify-'));
    script = path.join(folder, 'verify-journal.mjs');
    copyFileSync(path.resolve(import.meta.dirname, '../src/verify-journal.mjs'), script);
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(() => {
    server?.close();
    server = null;
  });

  it('finds the golden journal good, up to the head that FORMAT.md names', async () => {
    const ended = await runAsProcess(file(text(journal)));
    expect(ended).to.deep.equal({
      code: 0,
      stdout: `good: ${journal.length} events, up to ${journal.length}:${HEAD}\n`,
      stderr: '',
    });
  });

  it('finds the journal of an exchange good, also where a switch turns itself off at the end of its decision', async () => {
    const workload = createWorkload({ seed: 5 });
    const exchange = new StoredExchange();
    const events: WithheldEvent[] = [];
    for (let index = 0; index < 1_000; index += 1) {
      const command = workload.next();
      const { decision, stored } = exchange.take(command);
      workload.observe(command, decision);
      events.push(...stored.map(withhold));
    }
    const isLater = ({ publicText }: WithheldEvent): boolean => !publicText.includes('"decisionEvents"');
    expect(events.filter((event) => event.type === 'DeadManSwitchSet' && isLater(event))).not.to.deep.equal([]);
    const { code, stdout } = await run(file(text(events)));
    expect([code, stdout]).to.deep.equal([
      0,
      `good: ${events.length} events, up to ${events.length}:${events.at(-1)?.hash ?? ''}\n`,
    ]);
  });

  for (const [name, damage, line, said] of DAMAGES) {
    it(`finds ${name}, and names the line`, async () => {
      const events = [...journal];
      damage(events);
      expect(text(events)).not.to.equal(text(journal));
      const { code, stdout } = await run(file(text(events)));
      expect([code, stdout.split(': ')[1]]).to.deep.equal([1, `line ${line}`]);
      expect(stdout).to.match(said);
    });
  }

  it('finds that a file is cut inside a decision, or empty, or has only the beginning of a line', async () => {
    const decision = journal.find(({ publicText }) => /"decisionEvents":[2-9]/.test(publicText))?.seq ?? 0;
    expect(decision, 'a decision of several events').to.be.at.least(1);
    expect(await run(file(text(journal.slice(0, decision))))).to.deep.equal({
      code: 1,
      stdout: `at fault: it ends inside a decision, which lacks 1 more: it was cut off at event ${decision}\n`,
      stderr: '',
    });
    const empty = 'at fault: there are no events, so nothing of a journal was checked\n';
    expect(await run(file(''))).to.deep.equal({ code: 1, stdout: empty, stderr: '' });
    expect((await run(file('\n'))).code).to.equal(1);
    expect((await run(file('{"hash":'))).code).to.equal(1);
    expect(await run(file(''), '--after', `10:${at(journal, 10).hash}`)).to.include({ code: 1, stdout: empty });
  });

  it('finds that a service has no events, or ends inside a decision; it may have none behind what was verified', async () => {
    const nothing = await serve((_request, response) => response.end(''));
    expect((await run(nothing)).code).to.equal(1);
    const after = `${journal.length}:${HEAD}`;
    expect(await run(nothing, '--after', after)).to.include({ code: 0, stdout: `good: 0 events, up to ${after}\n` });
    server?.close();
    const decision = journal.find(({ publicText }) => /"decisionEvents":[2-9]/.test(publicText))?.seq ?? 0;
    const cut = await serve((_request, response) => response.end(text(journal.slice(0, decision))));
    expect((await run(cut)).stdout).to.match(/^at fault: it ends inside a decision/);
  });

  it('finds lines that are no events', async () => {
    const good = text(journal.slice(0, 2));
    for (const [bad, said] of [
      ['{"seq":3', /is not JSON/],
      ['null', /has not exactly the keys/],
      ['', /is not JSON/],
      [JSON.stringify({ ...at(journal, 3), privateText: '{}' }), /has not exactly the keys/],
      [JSON.stringify({ ...at(journal, 3), hash: 'AB'.repeat(32) }), /64 hex digits/],
    ] as const) {
      const { code, stdout } = await run(file(`${good}${bad}\n`));
      expect([bad, code, stdout.slice(0, 18)]).to.deep.equal([bad, 1, 'at fault: line 3: ']);
      expect(stdout).to.match(said);
    }
    const cut = Buffer.concat([Buffer.from(good), Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a])]);
    const bytes = path.join(folder, 'bytes');
    writeFileSync(bytes, cut);
    expect((await run(bytes)).stdout).to.match(/^at fault: line 3: the line is not JSON/);
  });

  describe('given a journal or a service of a stranger', () => {
    const evil = '\u001b[2J\u0007\u009b31m\u202e\u2028\ngood: 9 events';
    const escaped = '\\u001b[2J\\u0007\\u009b31m\\u202e\\u2028\\u000agood: 9 events';

    for (const [name, changed] of [
      ['an id', { id: evil }],
      ['a type', { type: evil }],
      ['a sequence', { seq: evil as unknown as number }],
      ['a sequence in an object', { seq: { toString: evil } as unknown as number }],
    ] as const) {
      it(`prints ${name} that steers a terminal escaped, on the one line of the verdict`, async () => {
        const events = [...journal];
        change(3, () => changed)(events);
        const { code, stderr, stdout } = await run(file(text(events)));
        expect([code, stderr]).to.deep.equal([1, '']);
        expect(stdout).to.match(/^at fault: line 3: [^\p{C}\p{Zl}\p{Zp}]*\n$/u);
        // JSON in an object has escapes of its own for the first 32 characters.
        expect(stdout).to.contain(name.endsWith('object') ? '\\u009b31m\\u202e\\u2028' : escaped);
      });
    }

    it('prints a long value in part', async () => {
      const events = [...journal];
      change(3, () => ({ id: 'x'.repeat(100_000) }))(events);
      expect((await run(file(text(events)))).stdout.length).to.be.lessThan(500);
    });

    it("prints a service's answer escaped", async () => {
      const source = await serve((_request, response) => response.writeHead(404).end(evil));
      const { code, stderr, stdout } = await run(source);
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr)
        .to.match(/cannot be read: it answered 404: [^\p{C}\p{Zl}\p{Zp}]*\n$/u)
        .and.contain(escaped);
    });
  });

  describe('with a receipt', () => {
    const receipt = (seq: number): string => `${seq}:${at(journal, seq).hash}`;

    it('says that it holds', async () => {
      const { code, stdout } = await run(file(text(journal)), '--receipt', receipt(1), '--receipt', receipt(9));
      expect(code).to.equal(0);
      expect(stdout).to.include(`receipt ${receipt(1)} holds\nreceipt ${receipt(9)} holds\n`);
    });

    it('finds a history that was rewritten whole: it is good by itself, and not the one that was answered', async () => {
      const events = [...journal];
      rechained(
        7,
        change(7, ({ publicText }) => ({ publicText: digit(publicText) })),
      )(events);
      const rewritten = file(text(events));
      expect((await run(rewritten)).code).to.equal(0);
      expect((await run(rewritten, '--receipt', receipt(6))).code).to.equal(0);
      const { code, stdout } = await run(rewritten, '--receipt', receipt(12));
      expect([code, stdout]).to.deep.equal([
        1,
        `at fault: line 12: event 12 has the hash ${at(events, 12).hash}, and a receipt says ${at(journal, 12).hash}\n`,
      ]);
    });

    it('finds a journal that was cut off', async () => {
      const { code, stdout } = await run(file(text(journal.slice(0, 8))), '--receipt', receipt(9));
      expect([code, stdout]).to.deep.equal([
        1,
        'at fault: the journal ends with event 8, and a receipt speaks of event 9\n',
      ]);
    });
  });

  it('goes on behind an event that was verified before', async () => {
    const tail = file(text(journal.slice(10)));
    const after = `10:${at(journal, 10).hash}`;
    expect((await run(tail, '--after', after)).stdout).to.equal(
      `good: ${journal.length - 10} events, up to ${journal.length}:${HEAD}\n`,
    );
    expect((await run(tail, '--after', `10:${'ab'.repeat(32)}`)).stdout).to.match(/^at fault: line 1: the hash is/);
    const early = await run(tail, '--after', after, '--receipt', `9:${at(journal, 9).hash}`);
    expect([early.code, early.stderr]).to.deep.equal([
      2,
      'event 9 of a receipt is before the event after which this begins\n',
    ]);
  });

  it('downloads and keeps it, and goes on where it was cut off', async () => {
    const address = await serve(page);
    const kept = path.join(folder, 'kept.ndjson');
    const whole = text(journal);
    expect((await run(address, '--save', kept)).code).to.equal(0);
    expect(readFileSync(kept, 'utf8')).to.equal(whole);
    for (const cut of [0, 1, text(journal.slice(0, 5)).length, text(journal.slice(0, 5)).length + 40]) {
      writeFileSync(kept, Buffer.from(whole).subarray(0, cut));
      const { code, stdout } = await run(address, '--save', kept);
      expect([code, stdout]).to.deep.equal([0, `good: ${journal.length} events, up to ${journal.length}:${HEAD}\n`]);
      expect(readFileSync(kept, 'utf8')).to.equal(whole);
    }
  });

  it('saves nothing of a page that does not follow the saved events', async () => {
    const address = await serve(page);
    const kept = path.join(folder, 'other.ndjson');
    const events = journal.slice(0, 4);
    rechained(
      3,
      change(3, ({ publicText }) => ({ publicText: digit(publicText) })),
    )(events);
    writeFileSync(kept, text(events));
    const { code, stdout } = await run(address, '--save', kept);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^at fault: line 5: the hash is/);
    expect(readFileSync(kept, 'utf8')).to.equal(text(events));
    appendFileSync(kept, 'not a line\n');
    expect((await run(address, '--save', kept)).stdout).to.match(/^at fault: line 5: the line is not JSON/);
  });

  it('waits for a service that is busy', async () => {
    let refused = 0;
    const address = await serve((request, response) => {
      refused += 1;
      if (refused <= 2) response.writeHead(refused === 1 ? 429 : 503, { 'retry-after': '0' }).end('{}');
      else page(request, response);
    });
    expect((await run(address)).code).to.equal(0);
    expect(refused).to.be.greaterThan(2);
  });

  describe('where the network fails', () => {
    const whole = `good: ${journal.length} events, up to ${journal.length}:${HEAD}\n`;
    const asked = (request: IncomingMessage): number =>
      Number(new URL(request.url ?? '', 'http://x').searchParams.get('from'));
    /** A page that breaks off after this many events and a part of the next. */
    const breakOff = (request: IncomingMessage, response: ServerResponse, events: number): void => {
      const from = asked(request);
      response.writeHead(200, { 'content-length': '100000', 'retry-after': '0' });
      const cut = JSON.stringify(journal[from]).slice(0, 40);
      response.write(text(journal.slice(from - 1, from - 1 + events)) + cut, () => response.destroy());
    };

    it('goes on behind the last line that was good, and keeps each once', async () => {
      const from: number[] = [];
      const address = await serve((request, response) => {
        from.push(asked(request));
        if (asked(request) < 7) breakOff(request, response, 2);
        else page(request, response);
      });
      const kept = path.join(folder, 'broken-off.ndjson');
      const { code, stdout } = await run(address, '--save', kept);
      expect([code, stdout]).to.deep.equal([0, whole]);
      // When a page breaks off, the network may lose events that had been sent; they are requested again.
      expect([...new Set(from)].slice(0, 5)).to.deep.equal([1, 3, 5, 7, 11]);
      expect(readFileSync(kept, 'utf8')).to.equal(text(journal));
    });

    it('asks again for a page that ends within a line', async () => {
      let cut = false;
      const address = await serve((request, response) => {
        if (cut) page(request, response);
        else response.setHeader('retry-after', '0').end(text(journal.slice(0, 3)).slice(0, -20));
        cut = true;
      });
      expect(await run(address)).to.deep.equal({ code: 0, stdout: whole, stderr: '' });
    });

    it('gives up after ten empty pages with exit code 2, and keeps the valid events', async () => {
      let fruitless = 0;
      const address = await serve((request, response) => {
        if (asked(request) === 4) fruitless += 1;
        breakOff(request, response, asked(request) === 1 ? 3 : 0);
      });
      const kept = path.join(folder, 'gave-up.ndjson');
      const { code, stdout, stderr } = await run(address, '--save', kept);
      expect([code, stdout, fruitless]).to.deep.equal([2, '', 10]);
      expect(stderr).to.match(/^http:\/\/127\.0\.0\.1:\d+\/api\/journal\?from=4 cannot be read: .+\n$/);
      expect(readFileSync(kept, 'utf8')).to.equal(text(journal.slice(0, 3)));
    });
  });

  it('goes on in a file that begins behind an event, and begins none there', async () => {
    const address = await serve(page);
    const after = `10:${at(journal, 10).hash}`;
    const kept = path.join(folder, 'tail.ndjson');
    for (const content of [null, '', '{"hash":']) {
      if (content !== null) writeFileSync(kept, content);
      expect(await run(address, '--after', after, '--save', kept)).to.deep.equal({
        code: 2,
        stdout: '',
        stderr: `--after: ${kept} has no events yet, and would keep a journal without its beginning\n`,
      });
      expect(existsSync(kept)).to.equal(content !== null);
    }
    writeFileSync(kept, text(journal.slice(10, 12)));
    expect((await run(address, '--after', after, '--save', kept)).code).to.equal(0);
    expect(readFileSync(kept, 'utf8')).to.equal(text(journal.slice(10)));
  });

  describe('behind an event, of a file that has the journal from event 1 on', () => {
    const after = `10:${at(journal, 10).hash}`;
    const good = `good: ${journal.length} events, up to ${journal.length}:${HEAD}\nreceipt ${after} holds\n`;

    it('checks the whole file, reports no new events, and leaves it unchanged', async () => {
      const kept = file(text(journal));
      const { code, stdout } = await run(await serve(page), '--after', after, '--save', kept);
      expect([code, stdout]).to.deep.equal([0, `${good}nothing is new: ${kept} had all of it\n`]);
      expect(readFileSync(kept, 'utf8')).to.equal(text(journal));
      expect(await run(kept, '--after', after)).to.deep.equal({ code: 0, stdout: good, stderr: '' });
    });

    it('goes on where it ends, also before that event', async () => {
      const kept = file(text(journal.slice(0, 8)));
      const { code, stdout } = await run(await serve(page), '--after', after, '--save', kept);
      expect([code, stdout]).to.deep.equal([0, good]);
      expect(readFileSync(kept, 'utf8')).to.equal(text(journal));
    });

    it('finds that it holds another event there', async () => {
      const { code, stdout } = await run(file(text(journal)), '--after', `10:${'ab'.repeat(32)}`);
      expect(code).to.equal(1);
      expect(stdout).to.match(/^at fault: line 10: event 10 has the hash/);
    });

    it('checks none that begins in between, and says what would be right', async () => {
      const { code, stdout, stderr } = await run(file(text(journal.slice(4))), '--after', after);
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.match(/begins with event 5, so it must name event 4, not 10\n$/);
    });
  });

  it('says that a file cannot be written', async () => {
    const { code, stdout, stderr } = await run(await serve(page), '--save', path.join('nowhere', 'x'));
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.match(/^nowhere\/x cannot be written, so the journal was not read to its end: ENOENT: .+\n$/);
  });

  it('says how it is used where it is asked', async () => {
    const { code, stdout, stderr } = await runAsProcess('--help');
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.match(/^Usage: node verify-journal\.mjs SOURCE/);
  });

  it('ends with 1 as a process where the journal is at fault, and with 2 where it cannot check', async () => {
    const damaged = file(text(journal.slice(1)));
    expect(await runAsProcess(damaged)).to.deep.include({ code: 1, stderr: '' });
    writeFileSync(path.join(folder, 'bytes'), 'x');
    expect((await runAsProcess('bytes')).stdout).to.match(/^at fault: line 1: the line is not JSON/);
    expect(await runAsProcess('none.ndjson')).to.deep.include({ code: 2, stdout: '' });
  });

  it('says what it cannot check', async () => {
    const missing = await serve((_request, response) => response.writeHead(404).end('{"error":"No such route"}'));
    for (const [args, said] of [
      [[], /^Usage: /],
      [['--nonsense'], /^--nonsense is not expected\n\nUsage: /],
      [['none.ndjson'], /^none\.ndjson is neither a file nor an address/],
      [['none.ndjson', '--receipt', '1:ab'], /^--receipt: must be SEQ:HASH/],
      [['none.ndjson', '--receipt'], /^--receipt: must be SEQ:HASH/],
      [['http://'], /^http:\/\/ is no address of a service, such as http:\/\/127\.0\.0\.1:4000\n$/],
      [['http://x', '--save', '.'], /^--save: \. is no file\n$/],
      [['none.ndjson', '--save', 'x'], /^--save: only with the address/],
      [[missing], /cannot be read: it answered 404: \{"error":"No such route"\}/],
    ] as const) {
      const { code, stdout, stderr } = await run(...args);
      expect([args, code, stdout]).to.deep.equal([args, 2, '']);
      expect(stderr).to.match(said);
    }
  });
});
