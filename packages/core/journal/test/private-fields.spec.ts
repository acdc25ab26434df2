import { COMMANDS } from '@paper/exchange/commands';
import { EVENTS } from '@paper/exchange/events';
import type { CommandType } from '@paper/exchange/commands';
import type { EventType } from '@paper/exchange/events';
import { expect } from 'chai';
import {
  commandSplit,
  describedCommands,
  describedEvents,
  eventVersion,
  privateCommandFields,
  privateEventFields,
} from '../src/formats.ts';

const KEY = ['keyHash', 'last4', 'name', 'permissions'];
const OPENING = ['by', 'idempotency', 'keyHash'];

describe('private fields', () => {
  it('of a released version never change: they follow from the declarations of events', () => {
    const found = describedEvents()
      .filter(({ privateFields }) => privateFields.length > 0)
      .map(({ type, version, privateFields }) => [type, version, privateFields]);
    expect(found).to.deep.equal([
      ['ApiKeyIssued', 1, ['keyHash']],
      ['ApiKeyIssued', 2, KEY],
      ['DeadManSwitchSet', 1, ['cancelsAt']],
      ['MandateSet', 1, ['mandate']],
      ['OrderAmended', 2, ['clientOrderId']],
      ['OrderPlaced', 2, ['clientOrderId', 'keyId', 'spentUnits']],
      ['OrderReplaced', 1, ['keyId', 'spentUnits']],
      ['OrderReplaced', 2, ['clientOrderId', 'keyId', 'spentUnits']],
      ['SubAccountOpened', 2, ['permissions', 'primaryAccountId']],
    ]);
  });

  it('of a released version never change: they follow from the declarations of commands', () => {
    const found = describedCommands().map(({ type, version, privateFields }) => [type, version, privateFields]);
    expect(found).to.deep.equal([
      ['IssueApiKey', 1, OPENING],
      ['IssueApiKey', 2, ['by', 'idempotency', ...KEY]],
      ['OpenAccount', 1, OPENING],
      ['OpenAccount', 2, [...OPENING, 'last4', 'permissions']],
      ['OpenSubAccount', 1, OPENING],
      ['OpenSubAccount', 2, [...OPENING, 'last4', 'permissions']],
      ['PlaceOrder', 1, ['by', 'idempotency']],
      ['PlaceOrder', 2, ['accountId', 'by', 'clientOrderId', 'idempotency']],
      ['SetDeadManSwitch', 1, ['by', 'idempotency', 'seconds']],
      ['SetMandate', 1, ['by', 'idempotency', 'mandate']],
    ]);
  });

  it('are known of the current version of every event and command', () => {
    for (const type of Object.keys(EVENTS) as EventType[]) {
      expect(privateEventFields(type, eventVersion(type)), type).not.to.equal(undefined);
    }
    for (const type of Object.keys(COMMANDS) as CommandType[]) {
      const fields = privateCommandFields(type, commandSplit(type).version);
      expect(fields, type).to.include.members(['by', 'idempotency']);
    }
  });
});
