/** An option. Names are in kebab case. */
export interface Value {
  readonly about: string;
  /** The word for its value in the help, such as `FILE`; absent: the option is a switch. */
  readonly value?: string;
  readonly byDefault?: string | number;
  readonly choices?: readonly string[];
  readonly from?: number;
  readonly to?: number;
  readonly many?: boolean;
  readonly needed?: boolean;
  /** The value of an option that is given without one. */
  readonly alone?: string | number;
  /** The options that cannot be given together with it. */
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

/** An environment variable, which may be given as an option too. A secret may also be in the file `NAME_FILE`. */
export type Setting = readonly [name: string, byDefault: string, about: string, isSecret?: boolean];

export interface CommandDeclaration {
  /** What the command does, in the imperative. */
  readonly about: string;
  /** Further lines of help. */
  readonly notes?: readonly string[];
  /** The path of its program from the repository's root. */
  readonly program?: string;
  /** The dependencies that it needs; default: `prod`. */
  readonly install?: 'prod' | 'full';
  /** The section of a page of the docs that `--write` replaces with the output. */
  readonly section?: { readonly name: string; readonly page: string };
  /** What follows `npm run NAME --`, as typed. */
  readonly example?: string;
  readonly args?: readonly Argument[];
  /** Describes the command after `--`, which this command runs. */
  readonly runs?: string;
  readonly options?: Readonly<Record<string, Value>>;
  /** Whether it has the option `--json`. */
  readonly json?: boolean;
  readonly settings?: readonly Setting[];
  /** The meaning of exit code 1. */
  readonly faults?: string;
  /** What remains after Ctrl-C. */
  readonly interrupted?: string;
  /** All arguments belong to the program that it starts. */
  readonly passes?: boolean;
  /** A command with subcommands also runs without one. */
  readonly alone?: boolean;
  readonly commands?: Readonly<Record<string, CommandDeclaration>>;
}

export function callOf(name: string, subcommand?: string | null): string;
