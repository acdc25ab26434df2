import type { CheckRequest, PassedCheck } from './check-receipts.ts';
import type { CheckedReceipt } from './receipt.ts';

type ReportOptions = Pick<CheckRequest, 'receipts' | 'head'> & { readonly isRecord?: boolean };

/** What a successful check proves. `isRecord`: the hashes come from the present journal, not from a receipt. */
export function describeCheck(checked: ReportOptions, result: PassedCheck) {
  const { receipts, head: given, isRecord = false } = checked;
  const { after, events, head, last, orders } = result;
  const first = after.seq + 1;
  const newestReceipt = Math.max(...receipts.map(({ seq }) => seq));
  const isCovered = head !== null && head.seq >= newestReceipt;
  const whose = isRecord ? 'the' : "the receipt's";
  const shown = receipts.map(
    ({ hash, seq }, index) => `Event ${seq} is in the journal with ${whose} hash ${hash}: ${orders[index] ?? ''}.`,
  );
  shown.push(
    events === 1
      ? `Event ${first} follows the one before it: its hash is made of that one's hash and of its own text.`
      : `The ${events} events ${first} to ${last.seq} follow each other without a gap, and each hash is made of the one before and of the event's text: none was changed, added or left out since the journal had these hashes.`,
  );
  if (!isRecord) {
    shown.push(
      `No event up to ${newestReceipt} can have been changed since the answer that the receipt is of: its hash covers all of them.`,
    );
  }
  if (isCovered) {
    shown.push(
      `The journal contains the head of event ${head.seq} that was signed at ${head.at} by the key ${head.publicKey}.`,
    );
  }
  const notShown = isRecord ? ['That the order was the same when it was answered: only a receipt shows that.'] : [];
  if (after.seq > 0) {
    notShown.push(
      `The texts of events 1 to ${after.seq} were not read. Whoever reads them must come to the hash ${after.hash}.`,
    );
  }
  if (!isCovered) {
    notShown.push(
      given === null
        ? `No signed head was given, so the end at event ${last.seq} is what this service says now. It could show others another continuation after event ${newestReceipt}.`
        : `The newest signed head, of event ${given.seq}, is older than the receipt, so the end at event ${last.seq} is what this service says now.`,
    );
  } else {
    notShown.push(`Whose key ${head.publicKey} is: compare it with the one that you were given.`);
    notShown.push(`Events after ${last.seq}.`);
  }
  notShown.push(
    'That each decision followed the rules, and the private parts of events: an audit of the whole journal shows both (docs/prove/audit.md).',
    'That this page does what it says: this service sent it. The command below checks the same without it.',
  );
  return { shown, notShown };
}

/** The command that makes the same check outside of the browser. The program needs only Node. */
export function commandOf(origin: string, receipts: readonly CheckedReceipt[]): string {
  const options = receipts.map(({ hash, seq }) => `--receipt ${seq}:${hash}`).join(' ');
  return `curl -O ${origin}/verify-journal.mjs && node verify-journal.mjs ${origin} ${options}`;
}
