import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { freePort, killAtExit } from '@paper/runtime';
import { SERVICE_NAMES } from '@paper/supervisor';
import { eventually } from '@paper/testkit';
import { parse, stringify } from 'yaml';
import type { ServiceExchange } from '../services/service-exchange.ts';

const infra = path.resolve(import.meta.dirname, '../../../../../infra/prometheus');

/** An alert of Prometheus, or of a notification. */
export interface Alert {
  readonly alert: string;
  /** The service that the alert is about; empty if it is about all. */
  readonly job: string;
}

/** An alert that the receiver was notified of. */
export interface Notified extends Alert {
  readonly atMs: number;
  /** The text by which Alertmanager distinguishes an alert's occurrences. */
  readonly startsAt: string;
}

/** The programs of Debian's packages prometheus, prometheus-alertmanager and prometheus-node-exporter, if missing. */
export function missingPrograms(): readonly string[] {
  return Object.values(PROGRAMS).filter((program) => spawnSync(program, ['--version']).error !== undefined);
}

const PROGRAMS = {
  prometheus: 'prometheus',
  alertmanager: 'prometheus-alertmanager',
  exporter: 'prometheus-node-exporter',
} as const;

const READY_WITHIN_MS = 60_000;
const FRONT_DOOR = 'front-door';

/** Prometheus and Alertmanager as infra/prometheus configures them, with other addresses and a receiver. */
export class Watchers {
  readonly notified: Notified[] = [];

  private constructor(
    private readonly prometheus: string,
    private readonly children: readonly ChildProcess[],
    private readonly receiver: Server,
  ) {
    receiver.on('request', (request, response) => {
      void json(request).then((body) => {
        this.#note(body as WebhookBody);
        response.end();
      });
    });
  }

  /** `disk`: the mount point of Postgres' disk; null: no disk is watched. */
  static async start(folder: string, exchange: ServiceExchange, disk: string | null): Promise<Watchers> {
    const receiver = createServer().listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const [prometheus, alertmanager, exporter] = [await address(), await address(), await address()];
    mkdirSync(folder, { recursive: true });
    const config = path.join(folder, 'prometheus.yml');
    const machine = disk === null ? null : { exporter, disk };
    writeFileSync(config, prometheusConfig(exchange, alertmanager, machine));
    const routes = path.join(folder, 'alertmanager.yml');
    writeFileSync(routes, alertmanagerConfig(receiverUrl));
    const children = [
      run(folder, PROGRAMS.prometheus, [
        `--config.file=${config}`,
        `--storage.tsdb.path=${path.join(folder, 'metrics')}`,
        `--web.listen-address=${prometheus}`,
      ]),
      run(folder, PROGRAMS.alertmanager, [
        `--config.file=${routes}`,
        `--storage.path=${path.join(folder, 'alerts')}`,
        `--web.listen-address=${alertmanager}`,
        '--cluster.listen-address=',
      ]),
      ...(disk === null
        ? []
        : [
            run(folder, PROGRAMS.exporter, [
              `--web.listen-address=${exporter}`,
              '--collector.disable-defaults',
              '--collector.filesystem',
              '--collector.filesystem.mount-points-exclude=^$',
            ]),
          ]),
    ];
    for (const ready of [`http://${prometheus}/-/ready`, `http://${alertmanager}/-/ready`]) await untilReady(ready);
    return new Watchers(`http://${prometheus}`, children, receiver);
  }

  async firing(): Promise<readonly Alert[]> {
    const answer = await fetch(`${this.prometheus}/api/v1/alerts`);
    const { data } = (await answer.json()) as {
      readonly data: { readonly alerts: readonly { readonly state: string; readonly labels: Labels }[] };
    };
    return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => named(labels));
  }

  async stop(): Promise<void> {
    for (const child of this.children) {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
    this.receiver.close();
  }

  #note({ alerts }: WebhookBody): void {
    for (const { labels, startsAt, status } of alerts) {
      const isKnown = this.notified.some((one) => one.startsAt === startsAt && isSame(one, named(labels)));
      if (status === 'firing' && !isKnown) this.notified.push({ ...named(labels), atMs: performance.now(), startsAt });
    }
  }
}

type Labels = Readonly<Record<string, string>>;

/** A notification as Alertmanager posts it. */
interface WebhookBody {
  readonly alerts: readonly { readonly status: string; readonly startsAt: string; readonly labels: Labels }[];
}

const named = ({ alertname: alert = '', job = '' }: Labels): Alert => ({ alert, job });

export const isSame = (a: Alert, b: Alert): boolean => a.alert === b.alert && a.job === b.job;

/** The services' own configuration, with our addresses instead of names in a network. */
function prometheusConfig(
  exchange: ServiceExchange,
  alertmanager: string,
  machine: { readonly exporter: string; readonly disk: string } | null,
): string {
  const config = parse(readFileSync(path.join(infra, 'prometheus.yml'), 'utf8')) as {
    readonly scrape_configs: readonly { readonly job_name: string }[];
  };
  const jobs = config.scrape_configs.map(({ job_name }) => job_name);
  const missing = [...SERVICE_NAMES, FRONT_DOOR].filter((name) => !jobs.includes(name));
  if (missing.length > 0) throw new Error(`prometheus.yml has no job for ${missing.join(', ')}`);
  const services = [
    ...SERVICE_NAMES.map((name) => ({ job_name: name, static_configs: [{ targets: exchange.metricsOf(name) }] })),
    { job_name: FRONT_DOOR, static_configs: [{ targets: [exchange.frontDoorMetrics] }] },
  ];
  const node = machine && {
    job_name: 'node',
    static_configs: [{ targets: [machine.exporter] }],
    // Other disks of this machine are not part of the run.
    metric_relabel_configs: [{ source_labels: ['mountpoint'], regex: machine.disk, action: 'keep' }],
  };
  return stringify({
    ...config,
    rule_files: [path.join(infra, 'rules.yml')],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] },
    scrape_configs: node === null ? services : [...services, node],
  });
}

function alertmanagerConfig(url: string): string {
  const config = parse(readFileSync(path.join(infra, 'alertmanager.yml'), 'utf8')) as {
    readonly receivers: readonly { readonly name: string }[];
  };
  const receivers = config.receivers.map((receiver) =>
    receiver.name === 'operator' ? { ...receiver, webhook_configs: [{ url }] } : receiver,
  );
  return stringify({ ...config, receivers });
}

const address = async (): Promise<string> => `127.0.0.1:${await freePort()}`;

function run(folder: string, program: string, args: readonly string[]): ChildProcess {
  const log = openSync(path.join(folder, `${program}.log`), 'a');
  const child = spawn(program, args, { stdio: ['ignore', log, log] });
  killAtExit(child);
  return child;
}

async function untilReady(url: string): Promise<void> {
  const isReady = async (): Promise<boolean> => (await fetch(url)).status === 200;
  await eventually(`${url} is ready`, isReady, { withinMs: READY_WITHIN_MS, isNotYet: () => true });
}
