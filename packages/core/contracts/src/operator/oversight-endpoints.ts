import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE, text, utcText } from '../text.ts';
import { ListedAccount, MarketHolders, OneSidedTransfer, RebuildStatus } from './oversight.ts';

/** The number of days that `listOneSidedTransfers` looks back without `from`. */
export const TRANSFER_DAYS = 7;
const TRANSFER_DOLLARS = 1_000;

export const oversightEndpoints = withIds({
  listHolders: defineEndpoint({
    auth: 'operator',
    tag: 'Operator: markets',
    scopes: ['markets'],
    path: '/api/operator/markets/{id}/holders',
    summary: 'List who holds shares of a market',
    description:
      'Shows who is paid before a market is resolved or voided. The totals are of all accounts; the list has the `limit` accounts with the most shares.',
    cost: listCost(10, 50, 50),
    params: z.object({ id: text(1).describe('The id of the market.') }),
    query: z.object({ limit: limitText(50) }),
    answer: MarketHolders,
    errors: ['market_not_found'],
  }),
  listAccounts: defineEndpoint({
    auth: 'operator',
    tag: 'Operator: accounts',
    scopes: ['accounts'],
    path: '/api/operator/accounts',
    summary: 'List primary accounts, newest first',
    description: `With \`approved=false\` it lists the accounts that await approval: only where COMPLIANCE_MODE is \`kyc\` are there any, and closed accounts await nothing. ${NEXT_PAGE}`,
    cost: listCost(5, 50, 50),
    query: z.object({
      approved: z
        .enum(['true', 'false'])
        .optional()
        .describe('Only accounts that may trade, or only those that may not yet; left out: all.'),
      limit: limitText(50),
      cursor: cursorText,
    }),
    answer: z.array(ListedAccount.schema),
  }),
  listOneSidedTransfers: defineEndpoint({
    auth: 'operator',
    tag: 'Operator: accounts',
    scopes: ['accounts'],
    path: '/api/operator/transfers',
    summary: 'List pairs of accounts between which money moved',
    description: `Trades between two accounts can move money from one to the other: one sells what is worth more, or buys what is worth less. Each trade since \`from\` counts with its shares' worth now (the payout of a settled market, else the mark) less what they cost. Pairs whose sum exceeds \`above\` are listed, the largest sum first. A sum shows no intent: a trader who was right also gained. Trades before \`from\` are not counted.`,
    cost: listCost(40, 50, 50),
    query: z.object({
      from: utcText
        .optional()
        .describe(`Only trades at this time or later; left out: of the last ${TRANSFER_DAYS} days.`),
      above: z
        .string()
        .regex(/^(0|[1-9]\d{0,8})$/, 'must be a whole number of dollars of at most 9 digits')
        .optional()
        .transform((dollars) => Number(dollars ?? TRANSFER_DOLLARS))
        .meta({
          type: 'integer',
          minimum: 0,
          maximum: 999_999_999,
          default: TRANSFER_DOLLARS,
          pattern: undefined,
          description: 'Dollars that the sum must exceed.',
        }),
      limit: limitText(50),
    }),
    answer: z.array(OneSidedTransfer.schema),
  }),
  getRebuildStatus: defineEndpoint({
    auth: 'operator',
    tag: 'Operator: system',
    path: '/api/operator/rebuild',
    summary: 'Get the state of the read models and of a rebuild',
    description: 'The same as `npm run rebuild -- --status`: the schemas of each version, the newest version first.',
    cost: { base: 5 },
    answer: RebuildStatus,
  }),
});
