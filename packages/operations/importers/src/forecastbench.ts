import { codePoints, validationMessage } from '@paper/contracts';
import { citationUrl, ListMarketInput, withoutRefused } from '@paper/contracts/operator';
import type { BatchCommandBody } from '@paper/contracts/operator';
import { parseUnits } from '@paper/contracts/units';
import { count } from './counts.ts';
import { planOf, skipped } from './plan.ts';
import type { PlannedItem } from './plan.ts';
import { readableTicker } from './readable-ticker.ts';
import { replaceRefused } from './refused-characters.ts';

/**
 * Turns files of ForecastBench (github.com/forecastingresearch/forecastbench-datasets) into plans: a question set, and
 * its resolution set.
 */

/** The sources of questions about binary markets. */
const MARKET_SOURCES = new Set(['polymarket', 'manifold', 'metaculus', 'infer']);
const INDICATOR_SOURCES = new Set(['acled', 'dbnomics', 'fred', 'wikipedia', 'yfinance']);
const SECTOR = 'forecast';

export type ListCommand = Extract<BatchCommandBody, { op: 'list-market' }>;
type ResolveCommand = Extract<BatchCommandBody, { op: 'resolve-market' }>;

/** Plans the markets of a question set; `nowMs` is ms since 1970 UTC. @throws Error for any other text. */
export function planImport(text: string, nowMs: number) {
  const questions = itemsOf(text, 'questions');
  const plan = planOf(questions.map((question) => planQuestion(question, nowMs)));
  const closed = plan.commands.filter(({ status }) => status === 'closed').length;
  return { ...plan, questions: questions.length, closed };
}

function planQuestion(question: Record<string, unknown>, nowMs: number): PlannedItem<ListCommand> {
  if (Array.isArray(question['id'])) return skipped('combined question');
  const source = given(question['source']);
  const closes = given(question['market_info_close_datetime']);
  if (source === null || !isMarket(source, closes)) return skipped('not a binary market question');
  const externalId = given(question['id']);
  const text = given(question['question']);
  if (externalId === null) return skipped('no id');
  if (text === null) return skipped('no question');
  const closesAt = closes === null ? NaN : Date.parse(closes);
  if (Number.isNaN(closesAt)) return skipped('no closing time');
  const probability = probabilityOf(question['freeze_datetime_value']);
  if (probability === null) return skipped('no market price');

  const adjustments: string[] = [];
  const prior = priorOf(probability, adjustments);
  const title = fitting(text, 300, 'title', adjustments);
  const description = descriptionOf(question, adjustments);
  const url = given(question['url']);
  const host = url !== null && URL.canParse(url) ? new URL(url).host : '';
  const id = `${source}:${externalId}`;
  const isCited = citationUrl.safeParse(url).success;
  if (url !== null && !isCited) adjustments.push('citation that is refused');
  const command = replaceRefused(
    {
      id,
      title,
      ticker: readableTicker(source, externalId, text),
      companySlug: source,
      sector: sectorOf(question),
      category: source,
      settlementSource: host === '' ? source : host,
      prior,
      closesAt: new Date(closesAt).toISOString(),
      tickSize: 0.01,
      status: closesAt <= nowMs ? 'closed' : 'active',
      ...(description === null ? {} : { description }),
      ...(isCited ? { citationUrl: url } : {}),
    },
    adjustments,
  );
  const parsed = ListMarketInput.safeParse(command);
  if (!parsed.success) return skipped(validationMessage(parsed.error));
  return { kind: 'command', name: id, command: { op: 'list-market', ...parsed.data }, adjustments };
}

function sectorOf(question: Record<string, unknown>): string {
  const category = given(question['category']);
  const slug = category === null ? '' : category.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
  return Array.from(slug.replace(/^-|-$/g, '')).slice(0, 60).join('') || SECTOR;
}

/** A question of an unknown source is about a market if it has a closing time. */
export const isMarket = (source: string, closes: string | null): boolean =>
  MARKET_SOURCES.has(source) || (!INDICATOR_SOURCES.has(source) && closes !== null);

function probabilityOf(value: unknown): number | null {
  const text = given(typeof value === 'number' ? String(value) : value);
  const number = text === null ? NaN : Number(text);
  return number >= 0 && number <= 1 ? number : null;
}

function priorOf(probability: number, adjustments: string[]): number {
  let units = parseUnits(probability);
  if (units === null) {
    adjustments.push('prior finer than 0.0001');
    units = Math.floor(probability * 10_000 + 0.5);
  }
  const clamped = Math.min(9900, Math.max(100, units));
  if (clamped !== units) adjustments.push('prior outside 0.01 to 0.99');
  return clamped / 10_000;
}

function descriptionOf(question: Record<string, unknown>, adjustments: string[]): string | null {
  const background = given(question['background']);
  const rules = given(question['market_info_resolution_criteria']) ?? given(question['resolution_criteria']);
  if (background === null) return rules === null ? null : fitting(rules, 10_000, 'description', adjustments);
  const first = fitting(background, 10_000, 'description', adjustments);
  if (rules === null) return first;
  const both = `${first}\n\nResolution: ${rules}`;
  return codePoints(both) <= 10_000 ? both : first;
}

/** Cuts the text to at most `max` characters, and notes that in `adjustments`. */
export function fitting(text: string, max: number, name: string, adjustments: string[]): string {
  if (codePoints(text) <= max) return text;
  adjustments.push(`${name} longer than ${max} characters`);
  return `${Array.from(text)
    .slice(0, max - 1)
    .join('')}…`;
}

/** Null for an empty text and "N/A", which means none in these files. */
export function given(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' || text === 'N/A' ? null : text;
}

/** The fields of a listed market that a plan needs. */
export interface ListedMarket {
  readonly id: string;
  readonly category: string;
  readonly companySlug: string;
  readonly citationUrl: string | null;
}

/**
 * Plans the resolutions of the imported markets in `listed`. Counts, by reason, the rows of no imported market and the
 * imported markets that none of their rows resolves. `notInFile`: the number of imported markets without a row.
 * @throws Error when the text is not a resolution set
 */
export function planResolve(text: string, listed: readonly ListedMarket[]) {
  const [rowsSkipped, marketsSkipped] = [new Map<string, number>(), new Map<string, number>()];
  const imported = new Map(listed.filter(isImported).map((market) => [market.id, market]));
  const rows = itemsOf(text, 'resolutions');
  const rowsOf = new Map<string, Record<string, unknown>[]>();
  for (const row of rows) {
    const [source, externalId] = [given(row['source']), given(row['id'])];
    const id = `${source ?? ''}:${externalId ?? ''}`;
    if (Array.isArray(row['id'])) count(rowsSkipped, 'combined question');
    else if (imported.has(id)) rowsOf.set(id, [...(rowsOf.get(id) ?? []), row]);
    else count(rowsSkipped, 'no such market is listed');
  }
  const commands: ResolveCommand[] = [];
  let notInFile = 0;
  for (const [id, market] of imported) {
    const ofMarket = rowsOf.get(id);
    const planned = ofMarket === undefined ? null : planRows(market, ofMarket);
    if (planned === null) notInFile += 1;
    else if (typeof planned === 'string') count(marketsSkipped, planned);
    else commands.push(planned);
  }
  return { commands, marketsSkipped, notInFile, rows: rows.length, rowsSkipped };
}

/** Every version of the import uses the source as company and category, and as the beginning of the id. */
const isImported = ({ category, companySlug, id }: ListedMarket): boolean =>
  category === companySlug && id.startsWith(`${companySlug}:`);

/** Makes a resolution from a market's rows (one for each forecast date), or says why not: resolved rows must agree. */
function planRows(market: ListedMarket, rows: readonly Record<string, unknown>[]): ResolveCommand | string {
  const resolved = rows.filter((row) => row['resolved'] === true);
  const values = new Set(resolved.map((row) => Number(row['resolved_to'] ?? NaN)));
  const [value] = values;
  if (value === undefined) return 'not resolved';
  if (values.size > 1) return 'resolved in two ways';
  if (value !== 0 && value !== 1) return 'resolved to neither 0 nor 1';
  const outcome = value === 1 ? 'yes' : 'no';
  const on = /^\d{4}-\d{2}-\d{2}$/.exec(given(resolved[0]?.['resolution_date']) ?? '')?.[0];
  // A URL that was listed before characters were refused may contain such characters.
  const isCited = citationUrl.safeParse(market.citationUrl).success;
  return {
    op: 'resolve-market',
    id: market.id,
    outcome,
    headline: `Resolved ${outcome.toUpperCase()}${on === undefined ? '' : ` on ${on}`}`,
    source: withoutRefused(market.companySlug, false),
    ...(isCited && market.citationUrl !== null ? { citationUrl: market.citationUrl } : {}),
  };
}

const FILES = {
  questions: { what: 'a question set', commands: ['import-markets', 'import-signals'] },
  resolutions: { what: 'a resolution set', commands: ['resolve-markets'] },
} as const;

/** The list with this name in a file. @throws Error that names the right command for another kind of file. */
export function itemsOf(text: string, name: keyof typeof FILES): readonly Record<string, unknown>[] {
  const file = parsedFile(text);
  const items = isObject(file) ? file[name] : null;
  if (Array.isArray(items)) return items.map((item: unknown) => (isObject(item) ? item : {}));
  const kind = forecastBenchKind(file);
  if (kind === null) throw new Error(`this is not ${FILES[name].what} of ForecastBench: it has no list "${name}"`);
  const { commands, what } = FILES[kind];
  const right = commands.map((command) => `npm run ${command} -- --format forecastbench FILE`).join(' or ');
  throw new Error(`this is ${what} of ForecastBench, not ${FILES[name].what}: use ${right}`);
}

/** The kind of a file of ForecastBench; null for any other file. */
export function forecastBenchKind(file: unknown): keyof typeof FILES | null {
  if (!isObject(file)) return null;
  if (Array.isArray(file['questions'])) return 'questions';
  return Array.isArray(file['resolutions']) ? 'resolutions' : null;
}

function parsedFile(text: string): unknown {
  if (text.trim() === '') throw new Error('this is empty');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`this is not JSON (${(error as Error).message})`, { cause: error });
  }
}

/** Whether a value is an object, which lists and null are not. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
