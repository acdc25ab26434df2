import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { AUDITED_TABLES } from '@paper/auditor';
import type { EventType } from '@paper/exchange/events';
import { decode } from '@paper/journal';
import { createFold, MODELS } from '@paper/read-models';
import { createWorkload, StoredExchange } from '@paper/testkit';
import type { GeneratedSection } from './generated-section.ts';

/** The tables of docs/develop/read-models.md: what changes each read model, who reads it, and its audit. */

const PAGE = 'docs/develop';
const SOURCE = 'packages/core/read-models/src';

/** Seeds of simulated exchanges that together have every type of event, most of them in each situation. */
const SEEDS = [1, 2, 3, 4, 5, 6];
const COMMANDS = 600;

export function readModelSections(): readonly GeneratedSection[] {
  return [{ file: `${PAGE}/read-models.md`, name: 'tables', text: modelTables() }];
}

function modelTables(): string {
  const changes = observedChanges();
  const ofMarkets = changes.get('market_history') ?? new Set();
  const sections = Object.entries(MODELS).flatMap(([model, { tables }]) =>
    tables.map(({ name }) =>
      [
        `### \`${name}\``,
        `- Model: ${linkTo(`${SOURCE}/models/${folderOf(model)}`, model)}`,
        `- Changed by: ${eventList(changes.get(name) ?? new Set(), ofMarkets)}`,
        `- Read by: ${readersOf(name).join(', ')}`,
        `- Audit: ${name in AUDITED_TABLES ? "compared with the auditor's own fold" : 'none'}`,
      ].join('\n'),
    ),
  );
  return sections.join('\n\n');
}

const folderOf = (model: string): string => model.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

/** The types of events that have changed each table, event by event. */
function observedChanges(): ReadonlyMap<string, ReadonlySet<EventType>> {
  const found = new Map<string, Set<EventType>>();
  for (const seed of SEEDS) {
    const fold = createFold();
    const exchange = new StoredExchange();
    const workload = createWorkload({ byPrimaries: true, seed });
    for (let sent = 0; sent < COMMANDS; sent += 1) {
      const command = workload.next();
      const { decision, stored } = exchange.take(command);
      workload.observe(command, decision);
      for (const event of stored.map(decode)) {
        fold.apply(event);
        for (const { table } of fold.planBatch('')) {
          found.set(table, (found.get(table) ?? new Set()).add(event.event.type));
        }
      }
    }
  }
  return found;
}

/** The most events that the seeds may miss for a table: not every rare event occurs in each situation. */
const UNSEEN_MAX = 2;

/** Lists events. If nearly all events `ofMarkets` are among them, those get one common name. */
function eventList(types: ReadonlySet<EventType>, ofMarkets: ReadonlySet<EventType>): string {
  const isAny = [...ofMarkets].filter((type) => !types.has(type)).length <= UNSEEN_MAX;
  const named = [...types].filter((type) => !isAny || !ofMarkets.has(type)).sort();
  return [...(isAny ? ['any event of a market'] : []), ...named.map((type) => `\`${type}\``)].join(', ');
}

/** The modules with queries that read a table. */
function readersOf(name: string): readonly string[] {
  const reads = new RegExp(String.raw`(From|Join|JoinLateral|from)\(?\s*['"\`(]{1,2}${name}\b|t\('${name}'\)`);
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(fold|table|tables)\.ts$/.test(file))
    .filter((file) => reads.test(readFileSync(`${SOURCE}/${file}`, 'utf8')))
    .map((file) => `\`${file.replace(/\.ts$/, '')}\``)
    .sort();
}

const linkTo = (file: string, text: string): string => `[${text}](${relative(PAGE, file)})`;
