import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import { expect } from 'chai';
import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { z } from 'zod';
import { costOf, READ_COST_MAX } from '../src/cost.ts';
import { endpoints } from '../src/endpoints.ts';
import { ERRORS } from '../src/errors.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { VERSION } from '../src/version.ts';
import type { Endpoint } from '../src/endpoint.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: string[];
  readonly security: object[];
  readonly responses: Record<string, { description: string; headers?: object; content?: object }>;
  readonly parameters?: { name: string; in: string }[];
}

const document = openApiDocument() as {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly tags: { name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: object };
};

const operation = (endpoint: Endpoint): Operation => document.paths[endpoint.path]![endpoint.method]!;

/** Generated clients use these ids as method names: a changed id breaks their callers. */
const OPERATION_IDS: readonly string[] = [
  'activateMarket',
  'advanceClock',
  'amendMarket',
  'amendOrder',
  'approveAccount',
  'cancelOrder',
  'cancelOrders',
  'closeAccount',
  'closeMarket',
  'closeSubAccount',
  'createMarket',
  'createSubAccount',
  'createSubAccountKey',
  'deleteBacktest',
  'downloadTrades',
  'forgetAccount',
  'getActivity',
  'getBacktest',
  'getBacktestReport',
  'getClock',
  'getDeadManSwitch',
  'getHealth',
  'getLeaderboard',
  'getMarket',
  'getMarketCandles',
  'getMarketEvents',
  'getMe',
  'getOpenApi',
  'getOperatorStatus',
  'getOrder',
  'getOrderBook',
  'getOrderByClientId',
  'getOrderHistory',
  'getOrderSequences',
  'getPortfolio',
  'getPositions',
  'getRebuildStatus',
  'getTrader',
  'getUsage',
  'issueAccountKey',
  'listAccounts',
  'listBacktests',
  'listFills',
  'listHolders',
  'listKeys',
  'listLedger',
  'listMarketSignals',
  'listMarkets',
  'listMarketsByPhase',
  'listMoments',
  'listOneSidedTransfers',
  'listOpenOrders',
  'listOrders',
  'listRecentSignals',
  'listRecentTrades',
  'listSubAccounts',
  'listTapes',
  'mergeShares',
  'openAccount',
  'pauseMarket',
  'placeOrder',
  'placeOrders',
  'previewOrder',
  'readBacktestJournal',
  'readJournal',
  'recordSignal',
  'renameAccount',
  'resolveMarket',
  'revokeAccountKey',
  'revokeKey',
  'runOperatorBatch',
  'setDeadManSwitch',
  'setMandate',
  'startBacktest',
  'streamAccount',
  'streamMarkets',
  'streamOrderBook',
  'voidMarket',
];

describe('the served document', () => {
  it('is OpenAPI 3.1 of this version, plain JSON', () => {
    expect(document).to.include({ openapi: '3.1.0' });
    expect(document.info.version).to.equal(VERSION);
    expect(JSON.parse(JSON.stringify(document))).to.deep.equal(document);
  });

  it('has every endpoint once, under a tag that is explained, and nothing else', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(operations.map((o) => o.operationId).sort()).to.deep.equal(Object.keys(endpoints).sort());
    for (const o of operations) expect(document.tags.map((tag) => tag.name)).to.include(o.tags[0]);
  });

  it('keeps its operationIds, which are the names in generated clients', () => {
    expect(Object.keys(endpoints).sort()).to.deep.equal(OPERATION_IDS);
    for (const id of OPERATION_IDS) expect(id).to.match(/^[a-z]+([A-Z][a-z0-9]*)+$/);
  });

  it('sums every operation up in at most 60 characters, and describes it', () => {
    for (const endpoint of Object.values(endpoints) as Endpoint[]) {
      const { operationId, summary, description } = operation(endpoint);
      expect(summary.length, operationId).to.be.within(5, 60);
      expect(summary, operationId).to.match(/^[A-Z][^.]*$/);
      expect(description, operationId).to.match(/[.`|]$/);
    }
  });

  it('says of every error code what to do next', () => {
    for (const endpoint of Object.values(endpoints) as Endpoint[]) {
      const { responses } = operation(endpoint);
      for (const code of endpoint.errors) {
        const told = Object.values(responses).some(({ description }) => description.includes(ERRORS[code].remedy));
        expect(told, `${endpoint.id} ${code}`).to.equal(true);
      }
    }
  });

  it('names every endpoint as its key, and its path parameters as its path does', () => {
    for (const [id, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
      expect(endpoint.id).to.equal(id);
      const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = (operation(endpoint).parameters ?? []).filter((p) => p.in === 'path').map((p) => p.name);
      expect(declared).to.deep.equal(inPath);
    }
  });

  it('asks for what the caller must carry', () => {
    expect(operation(endpoints.listMarkets).security).to.deep.equal([]);
    expect(operation(endpoints.placeOrder).security).to.deep.equal([{ apiKey: [] }, { apiKeyHeader: [] }]);
    expect(operation(endpoints.runOperatorBatch).security).to.deep.equal([{ operatorToken: [] }]);
    // No key is needed, except for historical reads.
    expect(operation(endpoints.getOrderBook).security).to.deep.equal([{}, { apiKey: [] }, { apiKeyHeader: [] }]);
  });

  it('documents every error that an endpoint declares, and those that any request can get', () => {
    for (const endpoint of Object.values(endpoints) as Endpoint[]) {
      const { responses } = operation(endpoint);
      for (const code of endpoint.errors) {
        const status = endpoint.errorStatuses[code] ?? ERRORS[code].status;
        expect(responses[status]?.description, `${endpoint.id} ${code}`).to.include(`\`${code}\``);
      }
      for (const status of [400, 405, 408, 429, 431, 500, 503]) {
        expect(responses, endpoint.id).to.have.property(String(status));
      }
      expect('401' in responses, endpoint.id).to.equal(endpoint.auth !== 'public' || endpoint.keyedBy !== null);
      expect('413' in responses, endpoint.id).to.equal(endpoint.method !== 'get');
      const refusesOtherRequest = responses[400]?.description.includes('`idempotency_conflict`') === true;
      expect(refusesOtherRequest, endpoint.id).to.equal(endpoint.idempotent);
      if ('413' in responses) expect(responses[413].description).to.include(`over ${endpoint.maxBodyBytes} bytes`);
    }
  });

  it('refuses by permission where one is needed, and only the specified endpoints', () => {
    for (const endpoint of Object.values(endpoints) as Endpoint[]) {
      if (endpoint.auth !== 'key') continue;
      const refusals = ['forbidden', 'left_out'] as const;
      const isRefused = endpoint.permission !== null || refusals.some((code) => endpoint.errors.includes(code));
      expect('403' in operation(endpoint).responses, endpoint.id).to.equal(isRefused);
    }
  });

  it('says where an unknown query parameter is refused, as OpenAPI has no word for it', () => {
    const strict = Object.values(endpoints).filter((one) => 'x-strict-query' in operation(one));
    expect(strict.map(({ id }) => id)).to.deep.equal(['cancelOrders']);
  });

  it('allows any item in a batch of orders, and describes a valid one', () => {
    const { OrderBatchInput } = document.components.schemas as Record<string, { properties: { orders: object } }>;
    expect(OrderBatchInput?.properties.orders).to.deep.include({
      type: 'array',
      items: { anyOf: [{ $ref: '#/components/schemas/OrderItem' }, {}] },
      minItems: 1,
      maxItems: 50,
    });
  });

  it('documents the headers of answers', () => {
    const headers = operation(endpoints.placeOrder).responses['200']?.headers;
    expect(headers).to.have.keys(
      'X-Journal-Seq',
      'X-Journal-Hash',
      'RateLimit',
      'Cache-Control',
      'Idempotent-Replayed',
    );
    expect(operation(endpoints.listMarkets).responses['200']?.headers).to.have.property('Link');
    expect(operation(endpoints.getHealth).responses['429']?.headers).to.have.property('Retry-After');
  });

  it('tells what each read costs: 1 to 50 whatever its limit is, by the formula that it gives', () => {
    const published = (endpoint: Endpoint) => (operation(endpoint) as { 'x-cost'?: Record<string, number> })['x-cost'];
    for (const endpoint of Object.values(endpoints) as Endpoint[]) {
      const { cost, id, kind, query } = endpoint;
      if (cost === null) {
        expect([id, kind, published(endpoint)]).to.deep.equal([id, 'command', undefined]);
        continue;
      }
      const told = published(endpoint) ?? {};
      const limits = Array.from({ length: 6_000 }, (_, n) => n + 1);
      const costs = [false, true].flatMap((past) => limits.map((limit) => costOf(cost, String(limit), past)));
      expect(Math.min(...costs), id).to.be.at.least(1);
      expect(Math.max(...costs), id).to.be.at.most(READ_COST_MAX);
      expect(costs.every(Number.isInteger), id).to.equal(true);
      expect(told['max'], id).to.equal(Math.max(...costs));
      expect(told['default'], id).to.equal(costOf(cost, null, false));
      const base = told['base'] ?? NaN;
      const units = (limit: number): number => ('itemsPerUnit' in told ? Math.floor(limit / told['itemsPerUnit']) : 0);
      expect(costOf(cost, '120', false), id).to.equal(base + units(120));
      // The default of the list equals the one in its schema.
      const shape = query instanceof z.ZodObject ? query.shape : {};
      expect('limit' in shape, id).to.equal(cost.items !== undefined);
      expect('asOfSeq' in shape, id).to.equal(cost.asOfSeq !== undefined);
      if (cost.items === undefined) continue;
      const meta = (shape['limit'] as z.ZodType).meta() ?? {};
      expect(meta['default'], id).to.equal(cost.items.default);
      expect(meta.description, id).to.include(`more than ${cost.items.max} is taken as ${cost.items.max}`);
    }
  });

  it('takes all open orders that an account may have in one page, and no more', () => {
    const limitOf = (query: object) => endpoints.listOpenOrders.query.parse(query).limit;
    const { openOrdersPerAccount } = DEFAULT_SETTINGS;
    expect([openOrdersPerAccount, limitOf({}), limitOf({ limit: '1001' })]).to.deep.equal([1_000, 1_000, 1_000]);
  });

  it('documents conditional reads: the tag, the question about it, and 304 without a body', () => {
    for (const endpoint of Object.values(endpoints) as Endpoint[]) {
      const { parameters = [], responses } = operation(endpoint);
      const asked = parameters.some(({ name, in: place }) => place === 'header' && name === 'If-None-Match');
      expect(asked, endpoint.id).to.equal(endpoint.conditional);
      expect('304' in responses, endpoint.id).to.equal(endpoint.conditional);
      if (!endpoint.conditional) continue;
      for (const status of ['200', '304']) {
        expect(responses[status]?.headers, endpoint.id).to.include.keys('ETag', 'Cache-Control', 'Vary');
      }
      expect(responses['304'], endpoint.id).not.to.have.property('content');
    }
  });

  it('makes a typed client that compiles', async function () {
    this.timeout(60_000);
    const generated = astToString(await openapiTS(structuredClone(document) as unknown as OpenAPI3));
    const folder = mkdtempSync(path.join(tmpdir(), 'client-'));
    try {
      const use = `import type { operations, components } from './client.js';
export const input: components['schemas']['CreateOrderInput'] = { marketId: 'm', outcome: 'yes', side: 'buy', orderType: 'limit', timeInForce: 'GTC' };
export const answer = (order: operations['placeOrder']['responses']['200']['content']['application/json']): number => order.filledQty;
// @ts-expect-error an outcome is yes or no
export const wrong: components['schemas']['CreateOrderInput']['outcome'] = 'maybe';
`;
      writeFileSync(path.join(folder, 'client.ts'), generated);
      writeFileSync(path.join(folder, 'use.ts'), use);
      const program = ts.createProgram([path.join(folder, 'use.ts')], {
        strict: true,
        noEmit: true,
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
        lib: ['lib.es2022.d.ts'],
        types: [],
      });
      const found = ts.getPreEmitDiagnostics(program).map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n'));
      expect(found).to.deep.equal([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
