import path from 'node:path';
import ts from 'typescript';
import type { Manifest } from './kubernetes-manifests.ts';

const SOURCE = path.join(import.meta.dirname, 'manifests.ts');

/**
 * Checks manifests against the types of Kubernetes' objects. Its schemas let unknown fields pass, as a misspelt deadline
 * would be; in a literal of a type the compiler refuses them.
 *
 * @returns the compiler's messages.
 */
export function unknownFieldsOf(manifests: readonly Manifest[]): readonly string[] {
  const literals = manifests.map((manifest) => {
    const { apiVersion, kind } = manifest;
    const type = `import('kubernetes-models/${apiVersion}/${kind}').I${kind}`;
    return `export const _${manifests.indexOf(manifest)}: ${type} = ${JSON.stringify(manifest)};`;
  });
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, version) =>
    file === SOURCE ? ts.createSourceFile(file, literals.join('\n'), version) : read(file, version);
  const program = ts.createProgram([SOURCE], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
