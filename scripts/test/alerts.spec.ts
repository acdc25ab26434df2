import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ALERT_FAULTS, FAULT_ROUNDS } from '@paper/chaos';
import { expect } from 'chai';
import { parse } from 'yaml';
import { declaredMetrics } from '../docs/declared-metrics.ts';
import { readComposeFile, WITH_TLS } from '../images/compose-file.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface Job {
  readonly job_name: string;
  readonly dns_sd_configs?: readonly object[];
}

const { groups } = parse(read('infra/prometheus/rules.yml')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
/** Fires beside causes, for alertmanager.yml alone. */
const KNOWN = 'PaperCauseKnown';
const rules = groups.flatMap((group) => group.rules).filter(({ alert }) => alert !== KNOWN);
const names = rules.map(({ alert }) => alert);

/** Metrics that the code does not declare: of Prometheus, of every Node process, and of Prometheus' node exporter. */
const OF_OTHERS = /^(up|process_|nodejs_|node_filesystem_)/;

describe('the alerts', () => {
  it('ask for metrics that the code declares', () => {
    const declared = new Set(
      declaredMetrics(root).flatMap(({ kind, name }) => (kind === 'histogram' ? [`${name}_bucket`] : [name])),
    );
    const asked = rules.flatMap(({ expr }) => [...expr.matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b/g)].map(([name]) => name));
    const functions = new Set(['histogram_quantile', 'predict_linear']);
    const unknown = asked.filter((name) => !declared.has(name) && !OF_OTHERS.test(name) && !functions.has(name));
    expect(unknown).to.deep.equal([]);
  });

  it('are causes or symptoms, and each has a test of promtool that expects it', () => {
    for (const { alert, labels } of rules) expect(labels['kind'], alert).to.be.oneOf(['cause', 'symptom']);
    const tests = read('infra/prometheus/rules.test.yml');
    const expected = [...tests.matchAll(/alertname: (\w+)\n\s+exp_alerts:/g)].map(([, name]) => name);
    expect(expected).to.include.members(names);
  });

  it('have each a row in docs/operate/operations.md, and no other has one', () => {
    const rows = [...read('docs/operate/operations.md').matchAll(/^\| `(Paper\w+)`/gm)].map(([, name]) => name);
    expect(rows).to.have.members(names);
  });

  it('hold back only alerts that exist', () => {
    const held = [...read('infra/prometheus/alertmanager.yml').matchAll(/Paper\w+/g)].map(([name]) => name);
    expect([...names, KNOWN]).to.include.members(held);
  });

  it('are held back by every critical cause that a fault of the chaos run has, and are expected where they fire', () => {
    const faults = ALERT_FAULTS.flatMap(({ causes, heldBack }) => [...causes.map(({ alert }) => alert), ...heldBack]);
    expect(names).to.include.members(faults);
    expect(FAULT_ROUNDS.flat()).to.have.members(ALERT_FAULTS.map(({ name }) => name));
    const routes = read('infra/prometheus/alertmanager.yml');
    const kindOf = (name: string): string | undefined => rules.find(({ alert }) => alert === name)?.labels['kind'];
    for (const { causes, heldBack } of ALERT_FAULTS) {
      for (const { alert } of causes) {
        const held = routes
          .split('source_matchers')
          .filter((rule) => rule.includes(`cause = ${alert}`))
          .join('');
        const others = heldBack.filter((name) => kindOf(name) === 'cause');
        for (const other of others) expect(held, `${alert} holds back ${other}`).to.include(other);
      }
    }
  });

  it('fire and resolve as the tests of promtool say', function () {
    this.timeout(60_000);
    // `.ci/full` installs it.
    if (spawnSync('promtool', ['--version']).error !== undefined) this.skip();
    const { status, stderr, stdout } = spawnSync('promtool', ['test', 'rules', 'infra/prometheus/rules.test.yml'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status, stdout + stderr).to.equal(0);
  });

  it('are given EventStoreDB’s own metrics, by the same job with TLS as without', function () {
    const jobsOf = (file: string): readonly Job[] =>
      (parse(read(`infra/prometheus/${file}`)) as { readonly scrape_configs: readonly Job[] }).scrape_configs;
    const [secure] = jobsOf('eventstoredb-tls.yml');
    const plain = jobsOf('prometheus.yml').find(({ job_name }) => job_name === secure?.job_name);
    expect(plain?.dns_sd_configs).to.deep.include({
      names: ['eventstore'],
      type: 'A',
      port: 2113,
      refresh_interval: '5s',
    });
    // The default path is EventStoreDB’s: /metrics.
    for (const job of [plain, secure]) expect(job).not.to.have.property('metrics_path');
    const nodes = Object.entries(readComposeFile(root, WITH_TLS).services).filter(([, { image }]) =>
      image.startsWith('eventstore/'),
    );
    const targets = nodes.map(([name]) => `${name}:2113`);
    expect(secure).to.deep.include({ scheme: 'https', static_configs: [{ targets }] });
    expect(secure).to.have.nested.property('basic_auth.password_file');
    for (const file of ['prometheus.yml', 'eventstoredb-tls.yml']) {
      const { error, status, stderr, stdout } = spawnSync('promtool', ['check', 'config', `infra/prometheus/${file}`], {
        cwd: root,
        encoding: 'utf8',
      });
      if (error !== undefined) this.skip();
      expect(status, stdout + stderr).to.equal(0);
    }
  });
});
