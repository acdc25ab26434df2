import type { z } from 'zod';
import type { CommandFormat, CommandFormats, listing, settings, signal } from './formats/command-formats.ts';
import type { mandate, outcome, permission, side } from './formats/values.ts';

/** Commands and their values, as the auditor's own formats of the newest versions declare them. */
export type Outcome = z.output<typeof outcome>;
export type Side = z.output<typeof side>;
export type Permission = z.output<typeof permission>;
/** The limits of a key; null for a limit that is not set. */
export type Mandate = Readonly<z.output<typeof mandate>>;
export type Settings = Fields<typeof settings>;
/** The fields of a market's listing. */
export type Listing = Fields<typeof listing>;
/** A cited signal. */
export type Signal = Fields<typeof signal>;

type Fields<Shape extends z.ZodRawShape> = Readonly<z.output<z.ZodObject<Shape>>>;

type Newest<Formats> = Formats extends readonly [...unknown[], infer Format extends CommandFormat] ? Format : never;

export type CommandType = keyof CommandFormats;

/** A command of this type: its public and its private fields, and its id. */
export type CommandOf<Type extends CommandType> = Readonly<
  z.output<Newest<CommandFormats[Type]>['visible']> & z.output<Newest<CommandFormats[Type]>['hidden']> & { id: string }
>;

export type JudgedCommand = { [Type in CommandType]: CommandOf<Type> }[CommandType];
