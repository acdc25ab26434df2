import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** The names that a module exports, with those of the modules of the same package that it exports whole. */
export function exportedNames(file: string): ReadonlySet<string> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return new Set(source.statements.flatMap((statement) => namesIn(statement, path.dirname(file))));
}

function namesIn(statement: ts.Statement, folder: string): readonly string[] {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause, moduleSpecifier } = statement;
    if (exportClause === undefined) {
      const module = moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
      return [...exportedNames(path.join(folder, module))];
    }
    const names = ts.isNamespaceExport(exportClause) ? [exportClause] : exportClause.elements;
    return names.map(({ name }) => name.text);
  }
  if (!ts.canHaveModifiers(statement)) return [];
  const isExported = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  if (!isExported) return [];
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => textOf(name));
  return 'name' in statement ? [textOf(statement.name as ts.Identifier)] : [];
}

/** A pattern (`export const { a, b } = …`) counts as one name. */
const textOf = (name: ts.BindingName): string => ('text' in name ? name.text : name.getFullText());
