export {
  bool,
  float8,
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
export { CopiedRows, copying } from './copying.ts';
export { RowColumns, type ColumnArray } from './row-columns.ts';
