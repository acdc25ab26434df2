/** The parts of a Grafana dashboard that ours use. */
export interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

/** Every expression of the dashboard. */
export function expressionsOf({ panels }: Dashboard): readonly string[] {
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

const closed = (properties: object, optional: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});
const text = { type: 'string', minLength: 1 };
const whole = { type: 'integer', minimum: 0 };
const source = closed({ type: { const: 'prometheus' }, uid: { const: '${source}' } });
const gridPos = closed({
  h: { type: 'integer', minimum: 1 },
  w: { type: 'integer', minimum: 1, maximum: 24 },
  x: whole,
  y: whole,
});

const row = closed({
  id: whole,
  type: { const: 'row' },
  title: text,
  collapsed: { const: false },
  gridPos,
  panels: { type: 'array', maxItems: 0 },
});

const timeSeries = closed({
  id: whole,
  type: { const: 'timeseries' },
  title: text,
  description: text,
  datasource: source,
  gridPos,
  fieldConfig: closed({
    // https://github.com/grafana/grafana/blob/main/packages/grafana-data/src/valueFormats/categories.ts
    defaults: closed({ unit: { enum: ['ops', 'reqps', 's', 'bytes', 'short'] }, min: { type: 'number' } }),
    overrides: { type: 'array' },
  }),
  options: closed({
    legend: closed({ displayMode: { enum: ['list', 'table'] }, placement: { enum: ['bottom', 'right'] } }),
    tooltip: closed({ mode: { enum: ['single', 'multi'] } }),
  }),
  targets: {
    type: 'array',
    minItems: 1,
    items: closed({
      refId: { type: 'string', pattern: '^[A-Z]$' },
      datasource: source,
      expr: text,
      legendFormat: text,
    }),
  },
});

/** The JSON Schema of our dashboards: a part of what Grafana reads, without the fields that we do not use. */
export const dashboardSchema = closed({
  title: text,
  uid: { type: 'string', pattern: '^[a-z-]{1,40}$' },
  description: text,
  schemaVersion: { const: 39 },
  version: whole,
  editable: { type: 'boolean' },
  graphTooltip: { enum: [0, 1, 2] },
  refresh: text,
  time: closed({ from: text, to: text }),
  timezone: { const: 'browser' },
  tags: { type: 'array', items: text },
  templating: closed({ list: { type: 'array', items: { type: 'object', required: ['name', 'type', 'query'] } } }),
  annotations: closed({ list: { type: 'array' } }),
  links: { type: 'array' },
  panels: { type: 'array', items: { oneOf: [row, timeSeries] } },
});
