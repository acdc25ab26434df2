import type pg from 'pg';
import type { StatementNames } from './prepared-names.ts';

/** Rows for a table: the only parameter of a `copy … from stdin`, in the format that the statement names. */
export class CopiedRows {
  constructor(readonly chunks: readonly Buffer[]) {}
}

/** A statement without result rows. Each different text is prepared, so their number must be small. */
export interface PipelinedStatement {
  readonly text: string;
  /** The parameters, as text or in Postgres's binary format, or the rows of a `copy … from stdin`. */
  readonly values: readonly (string | Buffer | null)[] | CopiedRows;
}

/** Statements that are sent together and run as one transaction: all or none. */
export class Pipeline {
  constructor(readonly statements: readonly PipelinedStatement[]) {}
}

/** A statement of a pipeline has failed, so none of them has changed anything. `cause` is the database's error. */
export class PipelineError extends Error {
  override readonly name = 'PipelineError';

  constructor(
    /** The index of the failed statement; that of the last one if the commit failed. */
    readonly index: number,
    override readonly cause: Error,
  ) {
    super(cause.message, { cause });
  }
}

interface Connection {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly unknown[] }): void;
  execute(): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sync(): void;
}

/**
 * Runs a pipeline on a connection that is in no transaction. If it fails, the connection must not be used again.
 * Nothing is awaited between the statements, and one Sync ends them, which makes them one transaction.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 * @throws PipelineError when a statement fails; the driver's error when the connection breaks, with an unknown outcome.
 */
export function runPipeline(client: pg.ClientBase, { statements }: Pipeline, names: StatementNames): Promise<void> {
  return new Promise((resolve, reject) => void client.query(new PipelineQuery(statements, names, resolve, reject)));
}

/** The query of a pipeline; the driver calls its `handle…` methods with the server's messages. */
class PipelineQuery {
  #completed = 0;

  constructor(
    private readonly statements: readonly PipelinedStatement[],
    private readonly names: StatementNames,
    private readonly resolve: () => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(driverConnection: pg.Connection): void {
    const connection = driverConnection as unknown as Connection;
    // All messages are sent in one write.
    connection.stream.cork();
    try {
      for (const statement of this.statements) this.#send(connection, statement);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleCommandComplete(): void {
    this.#completed += 1;
  }

  handleReadyForQuery(): void {
    this.resolve();
  }

  /** After an error the server ignores all messages up to the Sync. */
  handleError(error: Error): void {
    const index = Math.min(this.#completed, this.statements.length - 1);
    this.reject('severity' in error ? new PipelineError(index, error) : error);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  #send(connection: Connection, { text, values }: PipelinedStatement): void {
    const { name, isNew } = this.names.take(text);
    if (isNew) connection.parse({ name, text });
    connection.bind({ statement: name, values: values instanceof CopiedRows ? [] : values });
    connection.execute();
    if (!(values instanceof CopiedRows)) return;
    for (const chunk of values.chunks) connection.sendCopyFromChunk(chunk);
    connection.endCopyFrom();
  }
}
