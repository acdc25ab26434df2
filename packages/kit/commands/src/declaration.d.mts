export interface Value {
  readonly about: string;
  /** What its value is; absent: it is a switch. */
  readonly value?: string;
  readonly byDefault?: string | number;
  readonly choices?: readonly string[];
  readonly from?: number;
  readonly to?: number;
  readonly many?: boolean;
  readonly needed?: boolean;
  /** Its value, where it is given without one. */
  readonly alone?: string | number;
  /** The options that it excludes. */
  readonly without?: readonly string[];
}

export interface Argument {
  readonly name: string;
  readonly about: string;
  readonly optional?: boolean;
  readonly many?: boolean;
  readonly from?: number;
  readonly to?: number;
}

/** An environment variable: its name, its default, what it is, and whether it may be in a file. */
export type Setting = readonly [name: string, byDefault: string, about: string, isSecret?: boolean];

export interface CommandDeclaration {
  readonly about: string;
  readonly notes?: readonly string[];
  readonly program?: string;
  readonly install?: 'prod' | 'full';
  readonly section?: { readonly name: string; readonly page: string };
  readonly example?: string;
  readonly args?: readonly Argument[];
  /** What the command after `--` is, which this one runs. */
  readonly runs?: string;
  readonly options?: Readonly<Record<string, Value>>;
  readonly json?: boolean;
  readonly settings?: readonly Setting[];
  readonly faults?: string;
  readonly interrupted?: string;
  readonly passes?: boolean;
  readonly alone?: boolean;
  readonly commands?: Readonly<Record<string, CommandDeclaration>>;
}

export function callOf(name: string, subcommand?: string | null): string;
