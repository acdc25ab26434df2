import { inspect } from 'node:util';
import { expect } from 'chai';
import { createClient, eventStoreUrlSetting, withKeepAlive } from '../src/eventstoredb/connection-string.ts';

function failureOf(connectionString: string): Error {
  try {
    createClient(connectionString);
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was expected to fail');
}

describe('the connection string of EventStoreDB', () => {
  const wrong: readonly (readonly [string, string])[] = [
    ['postgres://ops:s3cr3t@db:5432/paper', 'another protocol'],
    ['esdb://ops:s3cr3t@', 'no host'],
    ['esdb://ops:s3cr3t@db:port', 'a port that is no number'],
    ['esdb://ops:s3cr3t@db:2113?tls=maybe', 'a value that is none'],
    ['esdb://ops:s3cr3t@db:2113?keepAliveInterval=soon', 'an interval that is no number'],
    ['esdb://ops:s3cr3t@db:2113?tlsCAFile=/no/such/file', 'a certificate that is not there'],
    ['esdb://ops:s3cr3t@db?tls', 'a setting without a value'],
    ['esdb://ops:s3cr3t@db?tsl=true', 'a setting that is none'],
    ['esdb://ops:s3cr3t@db?tlsVerifyCert=false', 'a setting that the client would ignore'],
    ['esdb://ops:s3cr3t@db?s3cr3t=true', 'a setting that is the password'],
    ['', 'nothing'],
  ];
  for (const [connectionString, what] of wrong) {
    it(`is refused with what would be right, and without its password: ${what}`, () => {
      const error = failureOf(connectionString);
      expect(error.message)
        .to.match(/^the connection string of EventStoreDB cannot be used: ./)

        .and.match(/Expected is esdb:\/\/user:password@host:2113/);
      // The error is inspected as a log prints it: with its stack, its properties and its cause.
      expect(inspect(error, { depth: 10, showHidden: true })).not.to.include('s3cr3t');
    });
  }

  it('is taken or refused, in the same words, as the setting of a service', () => {
    for (const [connectionString] of wrong) {
      const { success, error } = eventStoreUrlSetting.safeParse(connectionString);
      expect(success, connectionString).to.equal(false);
      expect(error?.issues.map(({ message }) => message)).to.deep.equal([failureOf(connectionString).message]);
    }
    const right = 'esdb+discover://admin:s3cr3t@cluster.example?nodePreference=leader';
    expect(eventStoreUrlSetting.parse(right)).to.equal(right);
  });

  it('says how soon a dead connection is found, where it does not say so itself', () => {
    expect(withKeepAlive('esdb://db:2113')).to.equal('esdb://db:2113?keepAliveInterval=10000&keepAliveTimeout=3000');
    expect(withKeepAlive('esdb://db:2113/?tls=false')).to.equal(
      'esdb://db:2113/?tls=false&keepAliveInterval=10000&keepAliveTimeout=3000',
    );
    expect(withKeepAlive('esdb://db?KeepAlive_Timeout=5')).to.equal(
      'esdb://db?KeepAlive_Timeout=5&keepAliveInterval=10000',
    );
  });

  it('is taken with credentials, several hosts, discovery and a slash behind the host', () => {
    for (const connectionString of [
      'esdb://admin:ch%40ngeit@a:2113,b:2113,c:2113?tls=true',
      'esdb+discover://cluster.example?nodePreference=leader',
      'esdb://127.0.0.1:2113/?tls=false',
      'esdb://127.0.0.1:2113',
      ' esdb://127.0.0.1:2113?tls=false ',
    ]) {
      createClient(connectionString);
    }
  });
});
