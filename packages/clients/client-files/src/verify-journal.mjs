#!/usr/bin/env node
/**
 * Checks the public journal of a Paper Trading Service, and receipts, without trusting the service: every event is
 * there once and in order, none was changed, no command was carried out twice, and the journal contains what an answer
 * acknowledged. This file needs Node 20 and nothing else, and shares no code with the service. It follows
 * packages/core/journal/FORMAT.md, which a service serves at /docs/format. Copy it to wherever you like.
 *
 * The portal's page of proofs imports it too, and so checks with the same code (services/portal/web/data/receipts).
 */
import { createHash } from 'node:crypto';
import { appendFileSync, createReadStream, existsSync, realpathSync, statSync, truncateSync } from 'node:fs';

const USAGE = `Usage: node verify-journal.mjs SOURCE... [--receipt SEQ:HASH]... [--after SEQ:HASH] [--save FILE]

SOURCE              a file of lines as GET /api/journal gives them, or several that follow each other, in their order;
                    or the address of a service (http://127.0.0.1:4000)
--receipt SEQ:HASH  X-Journal-Seq and X-Journal-Hash of an answer: the journal must hold exactly this event
--after SEQ:HASH    begin behind an event that was verified before; a receipt of it or a later one can be checked.
                    A file that has the journal from event 1 on is checked from there, and must hold that event
--save FILE         with an address: keep what is read in FILE; where FILE is there, it is checked and gone on from.
                    With --after only where FILE begins behind that event, or with event 1

--help              this text

Ends with 0 where all is good, 1 where the journal or a receipt is at fault, 2 where it could not be checked.

Every service has this file at /verify-journal.mjs (curl -O http://127.0.0.1:4000/verify-journal.mjs), and what it checks
at /docs/format.`;

const NONE = '0'.repeat(64);
/** The head before the first event. */
const START = { hash: NONE, seq: 0 };
const LINE_KEYS = 'hash,id,privateDigest,publicText,seq,type';
const PUBLIC_KEYS = 'causationId,commandId,correlationId,event,id,seq,version';
const FIRST_KEYS = 'causationId,command,commandId,commandVersion,correlationId,decisionEvents,event,id,seq,version';
/** The types of events that always have a private part. Any other event has one only as the first of its decision. */
const PRIVATE = ['ApiKeyIssued', 'DeadManSwitchSet'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** An append holds at most 1 MiB, and a JSON string at most six times its text. */
const LINE_BYTES_MAX = 8 * 1024 * 1024;
const TRIES = 10;

/** The journal or a receipt is wrong. */
export class Fault extends Error {}

/** The check was not possible. */
export class Unchecked extends Error {}

/** The network failed; a retry may succeed. */
class Interrupted extends Error {}

/** Escapes whatever could steer a terminal, hide a text or end a line: the journal and its service are not trusted. */
function escapeText(text) {
  const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (found) => found.split('').map(escape).join(''));
}

function escapeLines(text) {
  return text.split('\n').map(escapeText).join('\n');
}

/** A value of a journal's line, in a form for messages: it may be anything, of any length. */
function shown(value) {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value));
  return escapeText(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

function sha256(data) {
  return createHash('sha256').update(data).digest();
}

/** The RFC 8785 text of a value: keys sorted by UTF-16 code units, everything else as ECMAScript prints it. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.keys(value).sort();
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}

function parse(text, what) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault(`${what} is not JSON`);
  }
}

function keysOf(value) {
  return typeof value === 'object' && value !== null ? Object.keys(value).sort().join() : '';
}

function expectThat(holds, what) {
  if (!holds) throw new Fault(what);
}

/**
 * A hash set of the commands so far, with their sequences, by open addressing: 116 bits of each UUID, all but the digits
 * that count events. It takes 20 bytes a slot; a Set of texts would take hundreds and end at 16,777,216 entries.
 */
class Commands {
  #count = 0;
  #seqs = new Uint32Array(0);
  #words = new Uint32Array(0);

  constructor() {
    this.#resize(1_024);
  }

  /** The sequence of an earlier decision of this command; 0 for a new one, which is stored. */
  meet(commandId, seq) {
    if (this.#count * 4 > this.#seqs.length * 3) this.#resize(this.#seqs.length * 2);
    const digits = commandId.replaceAll('-', '').slice(0, 29);
    const id = [0, 8, 16].map((from) => Number.parseInt(digits.slice(from, from + 8), 16));
    // The last bit marks the slot as used.
    id.push(((Number.parseInt(digits.slice(24), 16) << 12) | 1) >>> 0);
    const place = this.#placeOf(id);
    if (this.#words[place * 4 + 3] !== 0) return this.#seqs[place];
    this.#words.set(id, place * 4);
    this.#seqs[place] = seq;
    this.#count += 1;
    return 0;
  }

  #placeOf([a, b, c, d]) {
    const words = this.#words;
    const last = this.#seqs.length - 1;
    let mixed = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(c ^ d, 0xc2b2ae35);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
    for (let place = (mixed ^ (mixed >>> 15)) & last; ; place = (place + 1) & last) {
      const at = place * 4;
      const isEmpty = words[at + 3] === 0;
      if (isEmpty || (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d)) {
        return place;
      }
    }
  }

  #resize(places) {
    const [seqs, words] = [this.#seqs, this.#words];
    this.#seqs = new Uint32Array(places);
    this.#words = new Uint32Array(places * 4);
    for (let place = 0; place < seqs.length; place += 1) {
      const id = words.subarray(place * 4, place * 4 + 4);
      if (id[3] === 0) continue;
      const to = this.#placeOf(id);
      this.#words.set(id, to * 4);
      this.#seqs[to] = seqs[place];
    }
  }
}

/** Follows a journal event by event from `head`: {seq, hash}. */
class Chain {
  /** The command id of the current decision, and how many of its events are missing; null if unknown. */
  #decision;
  #commands = new Commands();

  constructor(head) {
    this.head = head;
    this.#decision = head.seq === 0 ? { left: 0 } : null;
  }

  /** The number of events that the last decision lacks: 0 in a whole journal. */
  get lacking() {
    return this.#decision?.left ?? 0;
  }

  /** Reads the next line, and returns its public part. Throws Fault. */
  take(text) {
    const line = parse(text, 'the line');
    expectThat(keysOf(line) === LINE_KEYS, `the line has not exactly the keys ${LINE_KEYS}`);
    const { hash, id, privateDigest, publicText, seq, type } = line;
    expectThat(seq === this.head.seq + 1, `sequence ${shown(seq)} stands where ${this.head.seq + 1} must be`);
    for (const [name, value] of Object.entries({ hash, privateDigest })) {
      expectThat(typeof value === 'string' && /^[0-9a-f]{64}$/.test(value), `${name} is not 64 hex digits`);
    }
    expectThat(typeof publicText === 'string', 'publicText is not a text');

    const link = createHash('sha256').update(this.head.hash, 'hex').update(sha256(publicText));
    const made = link.update(privateDigest, 'hex').digest('hex');
    expectThat(made === hash, `the hash is ${shown(hash)}, the texts give ${made}`);

    const record = parse(publicText, 'publicText');
    expectThat(typeof record === 'object' && record !== null, 'publicText is not an object');
    expectThat(canonical(record) === publicText, 'publicText is not in canonical form');
    expectThat(record.seq === seq, `publicText has the sequence ${shown(record.seq)}, the line ${seq}`);
    expectThat(record.id === id, `publicText has the id ${shown(record.id)}, the line ${shown(id)}`);
    expectThat(
      record.event?.type === type,
      `publicText has the type ${shown(record.event?.type)}, the line ${shown(type)}`,
    );
    this.#place(record, type, privateDigest !== NONE);
    this.head = { hash, seq };
    return record;
  }

  #place(record, type, hasPrivate) {
    const first = 'decisionEvents' in record;
    expectThat(keysOf(record) === (first ? FIRST_KEYS : PUBLIC_KEYS), 'publicText has not the keys that it must have');
    if (this.#decision === null && !first) return;
    if (first) {
      const { commandId, decisionEvents } = record;
      expectThat(this.lacking === 0, `a decision begins, and the one before lacks ${this.lacking} events`);
      expectThat(Number.isInteger(decisionEvents) && decisionEvents >= 1, 'decisionEvents is no number of events');
      expectThat(UUID.test(commandId), `its command's id is ${shown(commandId)}, and no UUID in lower case`);
      const before = this.#commands.meet(commandId, record.seq);
      expectThat(before === 0, `its command ${commandId} was decided at sequence ${before} already`);
      this.#decision = { commandId, index: 0, left: decisionEvents };
    }
    const { commandId, index, left } = this.#decision;
    expectThat(left > 0 && record.commandId === commandId, 'it belongs to no decision that has begun');
    const id = String(commandId).slice(0, 33) + index.toString(16).padStart(3, '0');
    expectThat(record.id === id, `its id is ${shown(record.id)}; as event ${index} of its decision it must be ${id}`);
    const must = first || PRIVATE.includes(type);
    expectThat(hasPrivate === must, `it has ${must ? 'no' : 'a'} private part, and must have ${must ? 'one' : 'none'}`);
    this.#decision = { commandId, index: index + 1, left: left - 1 };
  }
}

/** Verifies a hash chain, and the receipts that it must contain: {seq, hash}, and `name` if it is not "a receipt". */
export class Verification {
  lines = 0;

  constructor(after, receipts) {
    this.chain = new Chain(after);
    this.receipts = receipts;
    for (const { seq } of receipts) {
      if (seq < after.seq) throw new Unchecked(`event ${seq} of a receipt is before the event after which this begins`);
    }
    this.#meetReceipts();
  }

  take(text) {
    this.lines += 1;
    try {
      const event = this.chain.take(text);
      this.#meetReceipts();
      return event;
    } catch (error) {
      if (error instanceof Fault) error.message = `line ${this.lines}: ${error.message}`;
      throw error;
    }
  }

  #meetReceipts() {
    const { seq, hash } = this.chain.head;
    for (const { hash: given, name = 'a receipt', seq: at } of this.receipts) {
      if (at === seq) expectThat(given === hash, `event ${seq} has the hash ${hash}, and ${name} says ${given}`);
    }
  }

  /** The final message. Throws Fault without an event, in a decision, or for a receipt beyond the end. */
  verdict(mayBeEmpty = false) {
    const { head, lacking } = this.chain;
    expectThat(this.lines > 0 || mayBeEmpty, 'there are no events, so nothing of a journal was checked');
    for (const { name = 'a receipt', seq } of this.receipts) {
      expectThat(seq <= head.seq, `the journal ends with event ${head.seq}, and ${name} speaks of event ${seq}`);
    }
    expectThat(
      lacking === 0,
      `it ends inside a decision, which lacks ${lacking} more: it was cut off at event ${head.seq}`,
    );
    const said = [`good: ${this.lines} events, up to ${head.seq}:${head.hash}`];
    for (const { seq, hash } of this.receipts) said.push(`receipt ${seq}:${hash} holds`);
    return said;
  }
}

/** Splits chunks of bytes into lines. Yields each line without its line break, and whether it had one. */
async function* linesOf(chunks) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch {
      // Invalid UTF-8 is invalid JSON too; the parser reports the line.
      return '\ufffd';
    }
  };
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
      yield { text: decode(rest.subarray(start, end)), ended: true, bytes: end + 1 - start };
      start = end + 1;
    }
    rest = rest.subarray(start);
    if (rest.length > LINE_BYTES_MAX) throw new Fault('a line is longer than any event can be');
  }
  if (rest.length > 0) yield { text: decode(rest), ended: false, bytes: rest.length };
}

/** Checks a file. A last line without a line break is incomplete: with `mend` it is removed from the file. */
async function takeFile(verification, file, mend) {
  let good = 0;
  for await (const { text, ended, bytes } of linesOf(createReadStream(file))) {
    if (mend && !ended) truncateSync(file, good);
    else verification.take(text);
    good += bytes;
  }
}

/** Checks a service's journal from the chain's head on. The rest of a page that breaks off is requested again. */
async function takeService(verification, address, save) {
  let fruitless = 0;
  for (let more = true; more;) {
    const { seq } = verification.chain.head;
    const url = new URL(`api/journal?from=${seq + 1}`, address.endsWith('/') ? address : `${address}/`);
    const page = await takePage(verification, url);
    if (save !== null) keep(save, page.text);
    more = page.more;
    if (page.problem === null) {
      if (more && page.text === '') throw new Unchecked(`${url} has nothing, and says that there is more`);
      continue;
    }
    fruitless = page.text === '' ? fruitless + 1 : 0;
    if (!more || fruitless === TRIES) throw new Unchecked(`${url} cannot be read: ${page.problem}`);
    await new Promise((resume) => setTimeout(resume, page.pauseSeconds * 1_000));
  }
}

/** Checks a page. Returns its valid text, whether to request more and, if it broke off, why, and the pause before. */
async function takePage(verification, url) {
  let [text, pauseSeconds] = ['', 1];
  try {
    const response = await fetch(url).catch(interrupted);
    pauseSeconds = Number(response.headers.get('retry-after') ?? 1);
    if (response.status !== 200) {
      const said = await response.text().catch(interrupted);
      const more = response.status === 429 || response.status === 503;
      return { text, more, problem: `it answered ${response.status}: ${shown(said)}`, pauseSeconds };
    }
    for await (const line of linesOf(received(response.body ?? []))) {
      if (!line.ended) throw new Interrupted('it ends within a line');
      verification.take(line.text);
      text += `${line.text}\n`;
    }
    return { text, more: /;\s*rel="?next"?/.test(response.headers.get('link') ?? ''), problem: null };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    return { text, more: true, problem: error.message, pauseSeconds };
  }
}

/** The chunks of a response body. Throws Interrupted when the network fails. */
async function* received(body) {
  try {
    yield* body;
  } catch (error) {
    interrupted(error);
  }
}

function interrupted(error) {
  throw new Interrupted(escapeText(String(error.cause ?? error)));
}

function keep(file, text) {
  try {
    appendFileSync(file, text);
  } catch (error) {
    throw new Unchecked(`${file} cannot be written, so the journal was not read to its end: ${error.message}`);
  }
}

/** Parses `17:ab…` to {seq, hash}. */
function placeOf(text, option) {
  const [, seq, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text ?? '') ?? [];
  if (hash === undefined) throw new Unchecked(`${option}: must be SEQ:HASH, such as 17:${'ab'.repeat(32)}`);
  return { hash, seq: Number(seq) };
}

function readArguments(args) {
  const asked = { sources: [], receipts: [], after: START, save: null };
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === '--receipt') asked.receipts.push(placeOf(args[(at += 1)], arg));
    else if (arg === '--after') asked.after = placeOf(args[(at += 1)], arg);
    else if (arg === '--save') asked.save = args[(at += 1)] ?? null;
    else if (arg.startsWith('--')) throw new Unchecked(`${arg} is not expected\n\n${USAGE}`);
    else asked.sources.push(arg);
  }
  if (asked.sources.length === 0) throw new Unchecked(USAGE);
  return asked;
}

/**
 * The head to start from, and the receipts that the journal must contain. If a file begins with event 1, the given head
 * becomes one more receipt. Throws Unchecked for a file that begins later, without a known head.
 */
async function beginningOf(file, { after, receipts }) {
  const first = after.seq > 0 && file !== null && existsSync(file) ? await firstSeqOf(file) : null;
  if (first === 1) return { after: START, receipts: [...receipts, after] };
  if (first > 1 && first <= after.seq) {
    throw new Unchecked(
      `--after: ${file} begins with event ${first}, so it must name event ${first - 1}, not ${after.seq}`,
    );
  }
  return { after, receipts };
}

/** The sequence of a file's first line; null if it cannot be read. */
async function firstSeqOf(file) {
  for await (const { text } of linesOf(createReadStream(file))) {
    try {
      return JSON.parse(text)?.seq ?? null;
    } catch {
      return null;
    }
  }
  return null;
}

const isAddressOf = (source) => /^https?:\/\//.test(source);

async function verify({ sources, save, ...asked }) {
  const [source] = sources;
  const isAddress = isAddressOf(source);
  if (sources.length > 1 && sources.some(isAddressOf)) {
    throw new Unchecked(`one address, or files: ${sources.join(' ')}`);
  }
  if (save !== null && !isAddress) throw new Unchecked('--save: only with the address of a service');
  if (save !== null && existsSync(save) && !statSync(save).isFile()) throw new Unchecked(`--save: ${save} is no file`);
  if (isAddress && !URL.canParse(source)) {
    throw new Unchecked(`${source} is no address of a service, such as http://127.0.0.1:4000`);
  }
  for (const file of isAddress ? [] : sources) {
    if (existsSync(file) && statSync(file).isFile()) continue;
    throw new Unchecked(`${file} is neither a file nor an address that begins with http:// or https://`);
  }
  const { after, receipts } = await beginningOf(isAddress ? save : source, asked);
  const verification = new Verification(after, receipts);
  if (!isAddress) {
    for (const file of sources) await takeFile(verification, file, false);
    return verification.verdict();
  }
  if (save !== null && existsSync(save)) await takeFile(verification, save, true);
  const kept = verification.lines;
  if (save !== null && kept === 0 && after.seq > 0) {
    throw new Unchecked(`--after: ${save} has no events yet, and would keep a journal without its beginning`);
  }
  await takeService(verification, source, save);
  // After an event that was already verified, a service may have no further events.
  const said = verification.verdict(after.seq > 0);
  if (kept > 0 && kept === verification.lines) said.push(`nothing is new: ${save} had all of it`);
  return said;
}

/** Whether Node was started with this file, by its path or through standard input (`-`), and did not import it. */
function isProgram() {
  const started = globalThis.process?.argv[1];
  if (started === undefined || started === '-') return started === '-';
  return existsSync(started) && realpathSync(started) === import.meta.filename;
}

async function main(args) {
  try {
    const said = args.includes('--help') ? [USAGE] : await verify(readArguments(args));
    process.stdout.write(`${escapeLines(said.join('\n'))}\n`);
  } catch (error) {
    // Any other error says nothing about the journal.
    const fault = error instanceof Fault;
    process.stdout.write(fault ? `at fault: ${escapeText(error.message)}\n` : '');
    process.stderr.write(fault ? '' : `${escapeLines(error.message)}\n`);
    process.exitCode = fault ? 1 : 2;
  }
}

if (isProgram()) void main(process.argv.slice(2));
