import { SECONDS } from '@paper/runtime';
import type { Metrics, MetricValue } from '@paper/runtime';

type Labels = Readonly<Record<'route' | 'method' | 'status', string>>;

interface Answers {
  readonly method: string;
  readonly status: number;
  readonly labels: Labels;
  answered: number;
  /** The number of timed answers, and the sum of their durations. */
  timed: number;
  seconds: number;
  /** For each bound of `SECONDS` the number of answers up to this bound and above the previous one. */
  readonly buckets: number[];
}

/**
 * Counts and times answers, for `PREFIX_requests_total` and `PREFIX_request_duration_seconds`. A request costs only an
 * addition; the series are made at each scrape. Clients cannot invent labels: patterns, methods and statuses.
 */
export class RequestCounts {
  readonly #byRoute = new Map<string, Answers[]>();

  constructor(metrics: Metrics, prefix: string) {
    metrics.computed.counter(`${prefix}_requests_total`, 'Requests answered', () =>
      this.#all().map(({ answered, labels }) => ({ labels, value: answered })),
    );
    metrics.computed.histogram(`${prefix}_request_duration_seconds`, 'Time to answer', () =>
      this.#all().flatMap((answers) => (answers.timed === 0 ? [] : histogramValues(answers))),
    );
  }

  /** `seconds`: null for an answer whose duration means nothing, such as a stream. */
  add(route: string, method: string, status: number, seconds: number | null): void {
    const answers = this.#answersOf(route, method, status);
    answers.answered += 1;
    if (seconds === null) return;
    answers.timed += 1;
    answers.seconds += seconds;
    const bucket = SECONDS.findIndex((bound) => seconds <= bound);
    if (bucket !== -1) answers.buckets[bucket] = (answers.buckets[bucket] ?? 0) + 1;
  }

  #answersOf(route: string, method: string, status: number): Answers {
    let ofRoute = this.#byRoute.get(route);
    if (ofRoute === undefined) this.#byRoute.set(route, (ofRoute = []));
    const known = ofRoute.find((one) => one.status === status && one.method === method);
    if (known !== undefined) return known;
    const labels = { route, method, status: String(status) };
    const made = { method, status, labels, answered: 0, timed: 0, seconds: 0, buckets: SECONDS.map(() => 0) };
    ofRoute.push(made);
    return made;
  }

  #all(): readonly Answers[] {
    return [...this.#byRoute.values()].flat();
  }
}

function histogramValues({ buckets, labels, seconds, timed }: Answers): readonly MetricValue[] {
  let upTo = 0;
  const cumulative = SECONDS.map((bound, index): MetricValue => {
    upTo += buckets[index] ?? 0;
    return { suffix: '_bucket', labels: { le: bound, ...labels }, value: upTo };
  });
  return [
    ...cumulative,
    { suffix: '_bucket', labels: { le: '+Inf', ...labels }, value: timed },
    { suffix: '_sum', labels, value: seconds },
    { suffix: '_count', labels, value: timed },
  ];
}
