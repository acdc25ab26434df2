export {
  bool,
  float8,
  int2,
  int8,
  nullable,
  text,
  texts,
  type Column,
  type Columns,
  type ColumnType,
  type RowOf,
} from './columns.ts';
export { copyOut } from './copy-out.ts';
export { CopyRows } from './copy-rows.ts';
export { copying } from './copying.ts';
export { onConnection, openPool } from './open-pool.ts';
export { CopiedRows, Pipeline, PipelineError, type PipelinedStatement } from './pipeline.ts';
export { poolOf } from './pool.ts';
export { StatementNames } from './prepared-names.ts';
export { FEW_ROWS, type RowParameters } from './row-parameters.ts';
export { RowColumns, type ColumnArray } from './row-columns.ts';
