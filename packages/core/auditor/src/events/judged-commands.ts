import type { z } from 'zod';
import type { CommandFormat, CommandFormats, listing, settings, signal } from './formats/command-formats.ts';
import type { mandate, outcome, permission, side } from './formats/values.ts';

/** Commands and their values, as the auditor's own formats of the newest versions declare them. */
export type Outcome = z.output<typeof outcome>;
export type Side = z.output<typeof side>;
export type Permission = z.output<typeof permission>;
/** The limits of a key; null for each that it has not. */
export type Mandate = Readonly<z.output<typeof mandate>>;
export type Settings = Fields<typeof settings>;
/** The fields of a market's listing. */
export type Listing = Fields<typeof listing>;
/** A cited signal. */
export type Signal = Fields<typeof signal>;

type Fields<Shape extends z.ZodRawShape> = Readonly<z.output<z.ZodObject<Shape>>>;

type Newest<Formats> = Formats extends readonly [...unknown[], infer Format extends CommandFormat] ? Format : never;

/** A command of this type: its public and its private fields, and its id. */
type CommandOf<Type extends keyof CommandFormats> = Readonly<
  z.output<Newest<CommandFormats[Type]>['visible']> & z.output<Newest<CommandFormats[Type]>['hidden']> & { id: string }
>;

export type PlaceOrder = CommandOf<'PlaceOrder'>;
export type CancelOrder = CommandOf<'CancelOrder'>;
export type AmendOrder = CommandOf<'AmendOrder'>;
export type CancelOrders = CommandOf<'CancelOrders'>;
export type MergeShares = CommandOf<'MergeShares'>;
export type SetDeadManSwitch = CommandOf<'SetDeadManSwitch'>;
export type FireDeadManSwitch = CommandOf<'FireDeadManSwitch'>;
export type ExpireOrders = CommandOf<'ExpireOrders'>;
export type SetMandate = CommandOf<'SetMandate'>;
export type OpenSubAccount = CommandOf<'OpenSubAccount'>;
export type IssueApiKey = CommandOf<'IssueApiKey'>;
export type RevokeApiKey = CommandOf<'RevokeApiKey'>;
export type OpenAccount = CommandOf<'OpenAccount'>;
export type ApproveAccount = CommandOf<'ApproveAccount'>;
export type CloseAccount = CommandOf<'CloseAccount'>;
export type ContinueClosing = CommandOf<'ContinueClosing'>;
export type ForgetDisplayNames = CommandOf<'ForgetDisplayNames'>;
export type ListMarket = CommandOf<'ListMarket'>;
export type AmendMarket = CommandOf<'AmendMarket'>;
export type MarketAct = { [Type in MarketActType]: CommandOf<Type> }[MarketActType];
export type ResolveMarket = CommandOf<'ResolveMarket'>;
export type VoidMarket = CommandOf<'VoidMarket'>;
export type RecordSignal = CommandOf<'RecordSignal'>;

type MarketActType = 'ActivateMarket' | 'PauseMarket' | 'CloseMarket' | 'ContinueRun';

export type JudgedCommand = { [Type in keyof CommandFormats]: CommandOf<Type> }[keyof CommandFormats];
