import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect } from 'chai';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { SpanKind, ROOT_CONTEXT } from '@opentelemetry/api';
import { collectCommands, FollowedCommands, noteCommand, startTracing, traceIdOf } from '../src/index.ts';
import { samplerOf } from '../src/sampler.ts';

const OPTIONS = { serviceName: 'test', version: '1', onProblem: () => undefined };

describe('traces', () => {
  it('are off, and OpenTelemetry is not loaded, where no variable asks for them', () => {
    const index = path.resolve(import.meta.dirname, '../src/index.ts');
    const program = `
      import { createRequire } from 'node:module';
      import { startTracing } from ${JSON.stringify(index)};
      const options = { serviceName: 'test', version: '1', onProblem: () => undefined };
      const envs = [{}, { OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' },
        { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
        { OTEL_SDK_DISABLED: 'true', OTEL_TRACES_EXPORTER: 'otlp' }, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }];
      const started = await Promise.all(envs.map((env) => startTracing(env, options)));
      const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('opentelemetry'));
      console.log(JSON.stringify({ started, loaded: loaded.length }));
    `;
    const args = ['--import', 'tsx', '--input-type=module', '-e', program];
    expect(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))).to.deep.equal({
      started: [null, null, null, null, null],
      loaded: 0,
    });
  });

  it('refuse a sampler that does not exist, and a ratio that is none', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    const refusal = (more: object): Promise<unknown> => startTracing({ ...env, ...more }, OPTIONS).catch(String);
    expect(await refusal({ OTEL_TRACES_SAMPLER: 'some' })).to.match(/OTEL_TRACES_SAMPLER: some does not exist/);
    expect(await refusal({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' })).to.match(
      /OTEL_TRACES_SAMPLER_ARG: 2 is no ratio/,
    );
  });

  it('are sampled by the id of the trace alone: the same ones in each process', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) =>
      traceIdOf(crypto.randomUUID()).replace(/^.{8}/, `${index}`.padStart(8, '0')),
    );
    const sampled = (): string[] => {
      const sampler = samplerOf({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' });
      const decide = (id: string) => sampler.shouldSample(ROOT_CONTEXT, id, '', SpanKind.INTERNAL, {}, []).decision;
      return ids.filter((id) => decide(id) === SamplingDecision.RECORD_AND_SAMPLED);
    };
    expect(sampled()).to.deep.equal(sampled());
    expect(sampled().length).to.be.within(50, 160);
  });
});

describe('the commands of a request', () => {
  it('are collected through what it waits for, apart from those of others', async () => {
    const [one, other]: [string[], string[]] = [[], []];
    const handle = async (name: string): Promise<void> => {
      noteCommand(`${name}-1`);
      await Promise.resolve();
      noteCommand(`${name}-2`);
    };
    await Promise.all([collectCommands(one, () => handle('a')), collectCommands(other, () => handle('b'))]);
    noteCommand('of no request');
    expect([one, other]).to.deep.equal([
      ['a-1', 'a-2'],
      ['b-1', 'b-2'],
    ]);
  });
});

describe('followed commands', () => {
  const follows = (): boolean => true;

  it('are found by the sequences of their events, and taken once they are complete', () => {
    const commands = new FollowedCommands({ follows });
    for (const [index, id] of ['a', 'a', 'b', 'c'].entries()) commands.note(index + 1, id);
    expect([1, 2, 3, 4, 5].map((seq) => commands.at(seq)?.correlationId ?? null)).to.deep.equal([
      'a',
      'a',
      'b',
      'c',
      null,
    ]);
    const taken = commands.takeUpTo(3);
    expect(taken.map(({ correlationId, lastSeq }) => [correlationId, lastSeq])).to.deep.equal([
      ['a', 2],
      ['b', 3],
    ]);
    expect(commands.takeUpTo(3)).to.deep.equal([]);
    // A second follower of the same journal is behind the first.
    commands.note(2, 'a');
    expect(commands.takeUpTo(9).map(({ correlationId }) => correlationId)).to.deep.equal(['c']);
  });

  it('leave out those that are not sampled, and are bounded', () => {
    const commands = new FollowedCommands({ follows: (id) => id !== 'out' });
    commands.note(1, 'out');
    expect(commands.at(1)).to.equal(null);
    for (let seq = 2; seq <= 30_000; seq += 1) commands.note(seq, String(seq));
    expect(commands.takeUpTo(Infinity).length).to.be.within(5_000, 10_000);
  });
});
