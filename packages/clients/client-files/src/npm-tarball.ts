import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { REPOSITORY } from '@paper/client-python';
import { VERSION } from '@paper/contracts';

const CLIENT = path.resolve(import.meta.dirname, '../../client');
const ROOT = path.resolve(CLIENT, '../../..');

/** The npm package of the TypeScript client: one module without dependencies, and its types, always the same bytes. */
export async function npmTarball(): Promise<Buffer> {
  const [code, types] = await Promise.all([bundle(), declarations()]);
  const parser = createRequire(path.join(CLIENT, 'package.json')).resolve('eventsource-parser');
  const license = path.join(parser.slice(0, parser.lastIndexOf('eventsource-parser')), 'eventsource-parser', 'LICENSE');
  const files = [
    { name: 'package.json', data: manifest() },
    { name: 'README.md', data: readFileSync(path.join(CLIENT, 'README.md'), 'utf8') },
    { name: 'CHANGELOG.md', data: readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8') },
    { name: 'LICENSE', data: readFileSync(path.join(ROOT, 'LICENSE'), 'utf8') },
    ...code,
    { name: 'dist/eventsource-parser.LICENSE', data: readFileSync(license, 'utf8') },
    ...types,
  ];
  return tarGzip(files.map(({ data, name }) => ({ name: `package/${name}`, data })));
}

/** The end of a tar archive: two blocks of zeros (POSIX pax, ustar). nanotar writes none after a full record of 10,240. */
const END_OF_ARCHIVE = Buffer.alloc(1_024);

/** Packs files without times and owners, so that equal files give equal bytes. */
export function tarGzip(files: readonly PackedFile[]): Buffer {
  const attrs = { mode: '644', mtime: 0, uid: 0, gid: 0, user: '', group: '' };
  return gzipSync(Buffer.concat([createTar([...files], { attrs }), END_OF_ARCHIVE]));
}

function manifest(): string {
  const published = {
    name: 'paper-trading-client',
    version: VERSION,
    description: 'Client of the Paper Trading Service: typed, retries once-only commands, resumes streams.',
    license: 'MIT',
    homepage: `${REPOSITORY}/blob/main/docs/trade/clients.md`,
    bugs: `${REPOSITORY}/issues`,
    repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: 'packages/clients/client' },
    keywords: ['exchange', 'trading', 'paper-trading', 'prediction-markets', 'simulation'],
    type: 'module',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    types: './dist/index.d.ts',
    sideEffects: false,
    engines: { node: '>=20.3' },
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}

type PackedFile = Readonly<Record<'name' | 'data', string>>;

/** The module, and its source map, which contains the sources. */
async function bundle(): Promise<readonly PackedFile[]> {
  const { build, stop } = await import('esbuild');
  try {
    const { outputFiles } = await build({
      absWorkingDir: CLIENT,
      bundle: true,
      charset: 'utf8',
      entryPoints: ['src/index.ts'],
      format: 'esm',
      logLevel: 'error',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      outfile: 'dist/index.js',
      sourcemap: true,
      target: 'es2022',
      write: false,
    });
    return outputFiles.map(({ path: file, text }) => ({ name: `dist/${path.basename(file)}`, data: text })).reverse();
  } finally {
    // Stops esbuild's process, which would otherwise live as long as this one.
    await stop();
  }
}

/** The types of the entry, and of every module that they import. @throws Error for a type of another package */
async function declarations(): Promise<readonly PackedFile[]> {
  const { isolatedDeclarationSync } = await import('oxc-transform');
  const source = path.join(CLIENT, 'src');
  const waiting = ['index.ts'];
  const made = new Map<string, string>();
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (made.has(file)) continue;
    const { code, errors } = isolatedDeclarationSync(file, readFileSync(path.join(source, file), 'utf8'));
    if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`);
    const folder = path.dirname(file);
    const text = code.replaceAll(/(from\s*)(['"])([^'"]+)\2/g, (_, from: string, quote: string, name: string) => {
      if (!name.startsWith('.')) throw new Error(`${file} has a type of ${name}, which the package does not have`);
      waiting.push(path.posix.join(folder, name));
      return `${from}${quote}${name.replace(/\.ts$/, '.js')}${quote}`;
    });
    made.set(file, text);
  }
  return Array.from(made, ([file, data]) => ({ name: `dist/${file.replace(/\.ts$/, '.d.ts')}`, data })).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}
