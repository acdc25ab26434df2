import { eventually } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { expect } from 'chai';

/** The lines of the service's log with this message. */
function logged(service: RunningStandalone, message: string): readonly string[] {
  return service
    .output()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}"`));
}

describe('snapshots of a running service', function () {
  this.timeout(120_000);
  const folder = temporaryDataDir();
  let service: RunningStandalone;
  after(async () => {
    await service.stop();
    folder.remove();
  });

  const openAccount = async (displayName: string) => {
    const answer = await fetch(`${service.baseUrl}/api/operator/accounts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.operatorToken}`,
        'content-type': 'application/json',
        'idempotency-key': displayName,
      },
      body: JSON.stringify({ displayName }),
    });
    // The raw key is in the first answer only.
    const { account } = (await answer.json()) as { readonly account: unknown };
    return { account, status: answer.status };
  };

  it('are taken beside it, and a killed service continues from one unchanged', async () => {
    const { dataDir } = folder;
    const env = { LOG_LEVEL: 'info', SNAPSHOT_EVERY: '10' };
    service = await startStandalone({ dataDir, env });
    expect(logged(service, 'the journal is folded from its first event')).to.have.lengthOf(1);
    for (let n = 0; n < 6; n += 1) expect((await openAccount(`before ${n}`)).status).to.equal(200);
    await eventually('a snapshot', () => logged(service, 'a snapshot was taken').length > 0);
    const first = await openAccount('after the snapshot');
    await service.stop('SIGKILL');

    service = await startStandalone({ dataDir, env });
    const begun = logged(service, 'the fold of the journal begins from a snapshot');
    expect(begun).to.have.lengthOf(1);
    // Repeats of commands from before and after the snapshot get their first answers.
    expect(await openAccount('after the snapshot')).to.deep.equal(first);
    expect((await openAccount('before 0')).status).to.equal(200);
    const { journalSeq } = (await (
      await fetch(`${service.baseUrl}/api/operator/status`, {
        headers: { authorization: `Bearer ${service.operatorToken}` },
      })
    ).json()) as { readonly journalSeq: number };
    // Two epochs, seven accounts with a key each; the repeats added nothing.
    expect(journalSeq).to.equal(16);
    const metrics = await (await fetch(service.metricsUrl)).text();
    expect(metrics).to.match(/^snapshot_failures_total 0$/m);
  });
});
