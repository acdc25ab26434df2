import { StoredExchange } from '@paper/testkit';
import type { Command } from '@paper/exchange/commands';
import { expect } from 'chai';
import { Projection } from '../src/projection/projection.ts';
import { catchUp } from '../src/projection/projector.ts';
import type { ReadDatabase } from './read-database.ts';

/** A suite's exchange, whose events are projected into a schema of its own as soon as a command is decided. */
export function useProjectedExchange(database: () => ReadDatabase) {
  const exchange = new StoredExchange();
  let schema: string;
  let projection: Projection;
  before(async () => {
    schema = await database().newSchema();
    projection = await Projection.open(database().db, schema);
  });
  return {
    exchange,
    schema: () => schema,
    submit: async (...commands: readonly Command[]): Promise<void> => {
      for (const command of commands) expect((await exchange.submit(command)).kind).to.equal('accepted');
      await catchUp(projection, exchange.journal, exchange.head.seq);
    },
  };
}
