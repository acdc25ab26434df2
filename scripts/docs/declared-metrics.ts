import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { filesBelow, workspaceFolders } from '../run/workspace.mjs';

/** A metric as the code declares it: `metrics.counter(name, help)`. */
export interface DeclaredMetric {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** The file of the declaration, from the root of the repository. */
  readonly file: string;
}

/** The first words of names that are declared as `${prefix}_…`: one for each app (observeRequests). */
export const REQUEST_PREFIXES = ['http', 'portal', 'mcp', 'pmxt', 'backtests'];

const KINDS = new Set(['counter', 'gauge', 'histogram']);

/** Every metric of the services, by name, read from the source. */
export function declaredMetrics(root: string): readonly DeclaredMetric[] {
  const found = new Map<string, DeclaredMetric>();
  for (const file of sourceFiles(root)) {
    const text = readFileSync(path.join(root, file), 'utf8');
    if (!/\b(counter|gauge|histogram)\b|_GAUGE/.test(text)) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      for (const metric of declaredIn(node, file)) found.set(metric.name, metric);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sourceFiles(root: string): readonly string[] {
  const folders = workspaceFolders(root).filter((folder) => !folder.startsWith('packages/testing/'));
  const files = filesBelow(
    root,
    folders.map((folder) => `${folder}/src`),
  );
  return files.filter((file) => file.endsWith('.ts'));
}

function declaredIn(node: ts.Node, file: string): readonly DeclaredMetric[] {
  if (ts.isCallExpression(node)) {
    const kind = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText();
    if (!KINDS.has(kind)) return [];
    return metricsOf(kind as DeclaredMetric['kind'], node.arguments, file);
  }
  // A declaration that several services share: `const X_GAUGE = [name, help] as const`.
  if (ts.isVariableDeclaration(node) && node.name.getText().endsWith('_GAUGE')) {
    const value =
      node.initializer !== undefined && ts.isAsExpression(node.initializer) ? node.initializer.expression : null;
    return value !== null && ts.isArrayLiteralExpression(value) ? metricsOf('gauge', value.elements, file) : [];
  }
  return [];
}

function metricsOf(
  kind: DeclaredMetric['kind'],
  [nameNode, helpNode]: readonly ts.Expression[],
  file: string,
): readonly DeclaredMetric[] {
  if (nameNode === undefined || helpNode === undefined || !ts.isStringLiteralLike(helpNode)) return [];
  const help = helpNode.text;
  if (ts.isStringLiteralLike(nameNode)) return [{ name: nameNode.text, kind, help, file }];
  const suffix = /^`\$\{prefix\}(\w+)`$/.exec(nameNode.getText())?.[1];
  return suffix === undefined ? [] : REQUEST_PREFIXES.map((prefix) => ({ name: prefix + suffix, kind, help, file }));
}
