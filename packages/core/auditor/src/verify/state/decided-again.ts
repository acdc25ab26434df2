import { canonicalJson } from '@paper/journal';
import type { AuditedEvent } from '../../journal/audited-event.ts';
import { Fault } from '../../journal/fault.ts';
import { createTwin } from '../../twin/twin.ts';
import type { TwinEvent, Verdict } from '../../twin/state.ts';

const NEWEST_RULES = 6;

/** The journal was decided by rules that this auditor does not have. */
export class UnknownRules extends Error {
  override readonly name = 'UnknownRules';
}

/** Decides every command again with the twin. For each event call `expect`, then `compare`. */
export class DecidedAgain {
  readonly #twin = createTwin();
  #verdict: Verdict | null = null;
  #index = 0;

  /** Decides the command that begins with this event, if one does. @throws Fault, UnknownRules */
  expect({ stored, command, event }: AuditedEvent): void {
    if (event.type === 'WriterEpochStarted') checkRules(stored.seq, event.rulesVersion);
    if (stored.privateDigest !== undefined) return;
    if (command === null) {
      this.#index += 1;
      return;
    }
    this.#index = 0;
    try {
      this.#verdict = this.#twin.handle(command);
    } catch (error) {
      const found = `its command ${JSON.stringify(command)} cannot be decided: ${String(error)}`;
      throw new Fault('decided again', stored.seq, stored, found, 'a command that can');
    }
  }

  get expected(): string {
    const verdict = this.#verdict;
    if (verdict === null) return 'an event that keeps the rule';
    if (verdict.kind === 'accepted') {
      const expectedEvent = verdict.events[this.#index];
      return expectedEvent === undefined ? 'no more events of its decision' : canonicalJson(expectedEvent);
    }
    return `no event: decided again, the command is ${verdict.kind}${'code' in verdict ? ` with ${verdict.code}` : ''}`;
  }

  compare({ stored, event, decisionEvents }: AuditedEvent): void {
    if (this.#verdict === null) return;
    const expected = this.#verdict.kind === 'accepted' ? this.#verdict.events : [];
    const expectedEvent = expected[this.#index];
    if (expectedEvent === undefined || !isSame(event, expectedEvent)) {
      throw new Fault('decided again', stored.seq, stored, `the journal has ${JSON.stringify(event)}`, this.expected);
    }
    if (decisionEvents !== null && decisionEvents !== expected.length) {
      const right = `${expected.length}: ${expected.map(({ type }) => type).join(', ')}`;
      throw new Fault('decided again', stored.seq, stored, `its decision has ${decisionEvents} events`, right);
    }
  }
}

/** Compares the fields in any order; only lists and settings are not plain values. */
function isSame(event: object, expectedEvent: TwinEvent): boolean {
  let fields = 0;
  for (const key in event) {
    const value: unknown = (event as Readonly<Record<string, unknown>>)[key];
    const other = expectedEvent[key];
    const same = value === other || (typeof value === 'object' && JSON.stringify(value) === JSON.stringify(other));
    if (!same) return false;
    fields += 1;
  }
  return fields === Object.keys(expectedEvent).length;
}

function checkRules(seq: number, rulesVersion: number): void {
  if (rulesVersion >= 1 && rulesVersion <= NEWEST_RULES) return;
  throw new UnknownRules(
    `From sequence ${seq} on the journal is decided by rules version ${rulesVersion}; this auditor knows versions 1 to ${NEWEST_RULES}. Use the auditor of the build that wrote it.`,
  );
}
