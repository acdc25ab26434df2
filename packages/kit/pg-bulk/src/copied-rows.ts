/** Rows for a table: the only parameter of a `copy … from stdin`, in the format that the statement names. */
export class CopiedRows {
  constructor(readonly chunks: readonly Buffer[]) {}
}
