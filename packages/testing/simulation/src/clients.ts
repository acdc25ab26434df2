import { PortError, Unavailable } from '@paper/contracts';
import { rememberedKeyOf } from '@paper/exchange';
import type { Decision } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import { accountLane, operatorLane, SYSTEM_LANE } from '@paper/command-side';
import type { Ids, CommandLane, CommandResult } from '@paper/command-side';
import { COMMANDS_OF_SYSTEM } from '@paper/testkit';
import type { Workload, Random } from '@paper/testkit';
import type { Agenda } from './agenda.ts';
import type { CommandProcess } from './command-process.ts';
import { keyOf } from './judge.ts';
import type { Answer, Submitted } from './judge.ts';
import type { Network } from './network.ts';

/** A request of a client, which may be sent several times. */
interface ClientRequest {
  readonly number: number;
  readonly command: Command;
  /** Whether the request was answered, or the client gave up. */
  over: boolean;
  /** An answer to an earlier attempt is ignored. */
  sendings: number;
}

export interface ClientsOptions {
  readonly agenda: Agenda;
  readonly random: Random;
  readonly network: Network;
  readonly ids: Ids;
  readonly workload: Workload;
  readonly processes: () => readonly CommandProcess[];
  readonly onSubmitted: (asked: Submitted) => void;
  readonly onAnswer: (asked: Submitted, answer: Answer) => void;
  readonly note: (text: string) => void;
}

function laneOf({ by }: Command): CommandLane {
  if (by.kind === 'key') return accountLane(by.accountId, null);
  return by.kind === 'operator' ? operatorLane(by.name) : SYSTEM_LANE;
}

const TIMEOUT_US = 8_000_000;
const MOST_OPEN = 80;
/** The number of commands of the setup, which open accounts and list markets. */
const SET_UP = 11;

/** Clients of the API. They send, time out, repeat with the same Idempotency-Key, and get some answers twice. */
export class Clients {
  readonly #open = new Set<ClientRequest>();
  readonly #meanGapUs: number;
  #requests = 0;
  #stopped = false;

  constructor(private readonly options: ClientsOptions) {
    // Some seeds send few requests, others many: some faults show only under low load.
    this.#meanGapUs = options.random.pick([1_000, 20_000, 100_000, 300_000]) * options.random.int(1, 3);
  }

  get open(): number {
    return this.#open.size;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Sends the setup, one command after the other, and then random requests. */
  begin(onSetUp: () => void): void {
    if (this.#requests < SET_UP) {
      this.#send(this.#nextRequest(), () => this.begin(onSetUp));
      return;
    }
    onSetUp();
    this.#goOn();
  }

  stop(): void {
    this.#stopped = true;
  }

  #goOn(): void {
    if (this.#stopped) return;
    const { agenda, random } = this.options;
    for (let burst = random.chance(0.2) ? random.int(2, 12) : 1; burst > 0; burst -= 1) {
      if (this.#open.size < MOST_OPEN) this.#send(this.#nextRequest());
    }
    agenda.add(random.int(0, 2 * this.#meanGapUs), () => this.#goOn());
  }

  #nextRequest(): ClientRequest {
    const { random } = this.options;
    let command = this.options.workload.next();
    while (COMMANDS_OF_SYSTEM.has(command.type)) command = this.options.workload.next();
    const number = (this.#requests += 1);
    const by = command.by.kind === 'system' ? ({ kind: 'operator', name: 'ops' } as const) : command.by;
    const own = random.chance(0.7) ? { fingerprint: `request ${number}`, key: `request-${number}` } : null;
    const asked = { ...command, by, idempotency: command.idempotency ?? own };
    const request = {
      command: { ...asked, idempotency: rememberedKeyOf(asked) },
      number,
      over: false,
      sendings: 0,
    };
    this.#open.add(request);
    return request;
  }

  #send(request: ClientRequest, done: () => void = () => undefined): void {
    const { agenda, network, random } = this.options;
    const sending = (request.sendings += 1);
    const process = this.#door(random);
    for (let copies = network.copies(); copies > 0 && process !== null; copies -= 1) {
      process.machine.arrive(network.delayUs(), () => this.#deliver(request, process, done));
    }
    agenda.add(process === null ? 200_000 : TIMEOUT_US, () => {
      if (!request.over && request.sendings === sending) this.#sendAgain(request, done);
    });
  }

  /** Chooses a process as the front door does: one that serves, by its last check. */
  #door(random: Random): CommandProcess | null {
    const all = this.options.processes().filter(({ machine }) => !machine.killed);
    const serving = all.filter((process) => process.serving);
    const choice = serving.length > 0 && random.chance(0.9) ? serving : all;
    return choice.length === 0 ? null : random.pick(choice);
  }

  #deliver(request: ClientRequest, process: CommandProcess, done: () => void): void {
    const { onSubmitted, onAnswer } = this.options;
    const command = this.#anew(request.command);
    const asked = { command, process };
    onSubmitted(asked);
    process.submit(laneOf(command), command).then(
      (decided) => {
        onAnswer(asked, { decided });
        this.#return(() => this.#answered(request, decided, done));
      },
      (error: unknown) => {
        onAnswer(asked, { error });
        this.#return(() => this.#refused(request, error, done));
      },
    );
  }

  /** A copy of the command with new ids, as the API makes a new command for each request. */
  #anew(command: Command): Command {
    const { ids, random } = this.options;
    const id = ids.newId();
    const base = { causationId: id, correlationId: id, id };
    const key = () => ({ keyHash: random.hex(64), keyId: ids.newId() });
    switch (command.type) {
      case 'PlaceOrder':
        return { ...command, ...base, orderId: ids.newId() };
      case 'OpenAccount':
      case 'OpenSubAccount':
        return { ...command, ...base, ...key(), accountId: ids.newId() };
      case 'IssueApiKey':
        return { ...command, ...base, ...key() };
      default:
        return { ...command, ...base };
    }
  }

  #return(hear: () => void): void {
    const { agenda, network, random } = this.options;
    if (!random.chance(network.faultRates.answerLost)) agenda.add(network.delayUs(), hear);
  }

  #answered(request: ClientRequest, { value }: CommandResult<Decision>, done: () => void): void {
    if (request.over) return;
    this.options.workload.observe(request.command, value);
    this.#end(request, value.kind, done);
  }

  #refused(request: ClientRequest, error: unknown, done: () => void): void {
    if (request.over) return;
    if (error instanceof Unavailable) {
      const sending = request.sendings;
      this.options.agenda.add(this.options.random.int(100_000, 1_000_000), () => {
        if (!request.over && request.sendings === sending) this.#sendAgain(request, done);
      });
      return;
    }
    const code = error instanceof PortError ? error.code : String(error);
    this.options.workload.observe(request.command, { code, kind: 'rejected' });
    this.#end(request, code, done);
  }

  /** Repeats the request only with an Idempotency-Key. Without a key the command could be carried out twice. */
  #sendAgain(request: ClientRequest, done: () => void): void {
    if (keyOf(request.command) === null && this.#requests > SET_UP) this.#end(request, 'never known', done);
    else this.#send(request, done);
  }

  #end(request: ClientRequest, answer: string, done: () => void): void {
    request.over = true;
    this.#open.delete(request);
    this.options.note(`request ${request.number}, ${request.command.type}: ${answer}`);
    done();
  }
}
