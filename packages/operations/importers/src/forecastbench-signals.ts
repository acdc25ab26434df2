import { fitting, given, isMarket, itemsOf } from './forecastbench.ts';
import { planOf, skipped } from './plan.ts';
import type { Plan, PlannedItem } from './plan.ts';
import { planSignal } from './signal-lines.ts';
import type { RecordCommand } from './signal-lines.ts';

/**
 * Plans the signals of a ForecastBench question set, each of its freeze date: for a market question the fair
 * probability of the market that `import-markets` lists, else a fact about the world. Throws for any other file.
 */
export const planQuestionSignals = (text: string): Plan<RecordCommand> =>
  planOf(itemsOf(text, 'questions').map(planQuestion));

function planQuestion(question: Record<string, unknown>): PlannedItem<RecordCommand> {
  if (Array.isArray(question['id'])) return skipped('combined question');
  const [source, id, url] = [given(question['source']), given(question['id']), given(question['url'])];
  const frozenAt = Date.parse(given(question['freeze_datetime']) ?? '');
  const raw = question['freeze_datetime_value'];
  const value = given(typeof raw === 'number' ? String(raw) : raw);
  if (source === null) return skipped('no source');
  if (id === null) return skipped('no id');
  if (Number.isNaN(frozenAt)) return skipped('no freeze date');
  if (value === null) return skipped('no value');
  if (url === null) return skipped('no citation');

  const text = given(question['question']);
  const explanation = given(question['freeze_datetime_value_explanation']);
  const ofMarket = isMarket(source, given(question['market_info_close_datetime']));
  const number = Number(value);
  if (ofMarket && !(number >= 0 && number <= 1)) return skipped("a market's value outside 0 to 1");
  // The explanation comes before the question, since the end would be cut off.
  const about = [explanation, ofMarket || explanation === null ? text : null].filter((part) => part !== null);
  if (about.length === 0) return skipped('no question');

  const adjustments: string[] = [];
  const publishedAt = new Date(frozenAt).toISOString();
  const signal = {
    // The id contains the date, since the value of the same question in a later set is another signal.
    externalId: `${id}@${publishedAt.slice(0, 10)}`,
    source,
    headline: fitting(`${readableNumber(value)} – ${about.join(' ')}`, 300, 'headline', adjustments),
    citationUrl: url,
    publishedAt,
    ...(ofMarket ? { marketId: `${source}:${id}`, fairProb: number } : {}),
    ...(!ofMarket && Number.isFinite(number) ? { factValue: number } : {}),
  };
  return planSignal(signal, adjustments, skipped);
}

/** Removes the noise of binary arithmetic (3.8200000000000003): keeps four decimals, or four digits of a small number. */
function readableNumber(text: string): string {
  const number = Number(text);
  if (!Number.isFinite(number) || !/\.\d{5}/.test(text)) return text;
  return plain(Math.abs(number) >= 0.01 ? Number(number.toFixed(4)) : Number(number.toPrecision(4)));
}

const plain = (number: number): string =>
  number.toLocaleString('en-US', { maximumFractionDigits: 20, useGrouping: false });
