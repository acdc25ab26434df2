import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { declaredMetrics } from '../docs/declared-metrics.ts';
import { dashboardSchema, expressionsOf } from './dashboard-schema.ts';
import type { Dashboard } from './dashboard-schema.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'infra/grafana');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('the dashboards', () => {
  const validate = new Ajv({ allErrors: true }).compile(dashboardSchema);

  for (const file of files) {
    const dashboard = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Dashboard;

    it(`${file} has the form that Grafana reads`, () => {
      validate(dashboard);
      expect(validate.errors).to.equal(null);
      const ids = dashboard.panels.map(({ id }) => id);
      expect(new Set(ids).size).to.equal(ids.length);
    });

    it(`${file} has no panel over another`, () => {
      const taken = new Set<string>();
      for (const { gridPos, title } of dashboard.panels) {
        expect(gridPos.x + gridPos.w, title).to.be.at.most(24);
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
          for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
            expect(taken.has(`${x} ${y}`), `${title} at ${x} ${y}`).to.equal(false);
            taken.add(`${x} ${y}`);
          }
        }
      }
    });

    it(`${file} asks for metrics that the code declares`, () => {
      const declared = declaredMetrics(root).flatMap(({ kind, name }) =>
        kind === 'histogram' ? [`${name}_bucket`] : [name],
      );
      const known = new Set([...declared, 'histogram_quantile']);
      const asked = expressionsOf(dashboard).flatMap((expr) => expr.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ?? []);
      expect(asked.filter((name) => !known.has(name) && !/^(process|nodejs)_/.test(name))).to.deep.equal([]);
    });
  }
});
