import { z } from 'zod';
import { errorCode, namedObject } from '../answer.ts';
import { ApprovedAccount, CreateApiKeyInput, CreatedApiKey, OpenedAccount } from '../accounts/account.ts';
import { Market } from '../markets/market.ts';
import { text } from '../text.ts';
import { validationMessage } from '../validation-message.ts';
import {
  AmendMarketInput,
  ListMarketInput,
  OpenAccountInput,
  RecordedSignal,
  RecordSignalInput,
  ResolveMarketInput,
  SettledMarket,
  VoidMarketInput,
} from './operator.ts';

const id = text(1).describe('The id of the market or account.');

/** A command of a batch: the single call's body plus `op`, and `id` where the single call's path has one. */
export const BatchCommand = z.discriminatedUnion(
  'op',
  [
    z.strictObject({ op: z.literal('list-market'), ...ListMarketInput.shape }),
    z.strictObject({ op: z.literal('amend-market'), id, ...AmendMarketInput.shape }),
    z.strictObject({ op: z.literal('activate-market'), id }),
    z.strictObject({ op: z.literal('pause-market'), id }),
    z.strictObject({ op: z.literal('close-market'), id }),
    z.strictObject({ op: z.literal('resolve-market'), id, ...ResolveMarketInput.shape }),
    z.strictObject({ op: z.literal('void-market'), id, ...VoidMarketInput.shape }),
    z.strictObject({ op: z.literal('record-signal'), ...RecordSignalInput.shape }),
    z.strictObject({ op: z.literal('open-account'), ...OpenAccountInput.omit({ id: true }).shape }),
    z.strictObject({ op: z.literal('issue-key'), id, ...CreateApiKeyInput.shape }),
    z.strictObject({ op: z.literal('approve-account'), id }),
  ],
  { error: () => `must be ${OPERATIONS.join(' or ')}` },
);

const OPERATIONS: readonly string[] = BatchCommand.options.map(({ shape }) => shape.op.value);

/** An item of a batch that is not a valid command; `error` is the text of the refusal. */
export interface MalformedCommand {
  readonly op: null;
  readonly error: string;
}

/** Accepts any object: a fault in it becomes the result of this item, and the other items are carried out. */
const malformedCommand = z
  .unknown()
  .refine((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  .meta({ type: 'object', description: 'Any other object: only this item is refused, with `validation_failed`.' })
  .transform((item): MalformedCommand => {
    const { error } = BatchCommand.safeParse(item);
    if (error === undefined) throw new Error('a command was taken for none');
    return { op: null, error: validationMessage(error) };
  });

export const BATCH_COMMANDS = 500;
export const BATCH_BYTES = 4 * 1024 * 1024;

export const BatchInput = namedObject('BatchInput', {
  commands: z
    .array(z.union([BatchCommand, malformedCommand], { error: 'must be a JSON object' }))
    .min(1)
    .max(BATCH_COMMANDS),
});

const BatchResult = z.union([
  z.strictObject({
    ok: z.literal(true),
    changed: z
      .boolean()
      .describe(
        'Whether this command changed the state. It is false if the state was already as requested, for example a market that was listed before with the same body. A replay repeats the first value.',
      ),
    result: z.union([
      Market.schema,
      SettledMarket.schema,
      RecordedSignal,
      OpenedAccount,
      CreatedApiKey,
      ApprovedAccount,
    ]),
  }),
  z.strictObject({
    ok: z.literal(false),
    status: z.int().min(400).max(599),
    error: z.string(),
    code: errorCode,
  }),
]);

export const BatchAnswer = namedObject('BatchAnswer', {
  results: z.array(BatchResult).describe('One result for each command, in their order.'),
});

export type BatchCommandBody = z.output<typeof BatchCommand>;
export type BatchResultBody = z.output<typeof BatchResult>;
export type BatchAnswerBody = z.output<typeof BatchAnswer>;
