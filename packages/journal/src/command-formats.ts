import type { Command } from '@paper/exchange';
import { settingsOfV1 } from './former-settings.ts';
import { hideName } from './hide-name.ts';
import { upcastStepwise, type Stored, type Upcast } from './stored-object.ts';

/** For a version that says the same, of which another part is private. */
const asItIs: Upcast = (old) => old;

/** Each command's upcasters, oldest first. Commands are read back to be decided again, so they age as events do. */
const COMMAND_UPCASTS: { readonly [T in Command['type']]: readonly Upcast[] } = {
  ActivateMarket: [],
  AmendMarket: [],
  ApproveAccount: [],
  CancelOrder: [],
  CloseMarket: [],
  ContinueRun: [],
  // The key's name, permissions and last characters were public in version 1.
  IssueApiKey: [asItIs],
  // Version 1 knew neither the company's weight nor drivers, and every market had the tick of $0.0001.
  // In version 2 no market was listed closed.
  ListMarket: [(old) => ({ ...old, companyImpact: 0, drivers: [], tickUnits: 1 }), asItIs],
  OpenAccount: [hideName],
  OpenSubAccount: [hideName],
  PauseMarket: [],
  PlaceOrder: [],
  RecordSignal: [],
  ResolveMarket: [],
  RevokeApiKey: [],
  StartWriterEpoch: [(old) => ({ ...old, settings: settingsOfV1(old['settings']) })],
  VoidMarket: [],
};

/** The version that a command of this type is stored in. */
export function commandVersion(type: Command['type']): number {
  return COMMAND_UPCASTS[type].length + 1;
}

/** A stored command in its current version. @throws Error for an unknown type or version. */
export function upcastCommand(stored: Stored, version: number): Stored {
  const type = String(stored['type']);
  if (!Object.hasOwn(COMMAND_UPCASTS, type)) throw new Error(`command type ${type} is unknown here`);
  return upcastStepwise(`command ${type}`, stored, version, COMMAND_UPCASTS[type as Command['type']]);
}
