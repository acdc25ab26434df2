import type { z } from 'zod';
import type { CommandFormat, CommandFormats, listing, settings, signal } from './formats/command-formats.ts';
import type { mandate, outcome, permission, side } from './formats/values.ts';

export type Outcome = z.output<typeof outcome>;
export type Side = z.output<typeof side>;
export type Permission = z.output<typeof permission>;
export type Mandate = Readonly<z.output<typeof mandate>>;
export type Settings = Fields<typeof settings>;
export type Listing = Fields<typeof listing>;
export type Signal = Fields<typeof signal>;
type Fields<Shape extends z.ZodRawShape> = Readonly<z.output<z.ZodObject<Shape>>>;
type Newest<Formats> = Formats extends readonly [...unknown[], infer Format extends CommandFormat] ? Format : never;
export type CommandType = keyof CommandFormats;

export type CommandOf<Type extends CommandType> = Readonly<
  z.output<Newest<CommandFormats[Type]>['visible']> & z.output<Newest<CommandFormats[Type]>['hidden']> & { id: string }
>;

export type JudgedCommand = { [Type in CommandType]: CommandOf<Type> }[CommandType];
