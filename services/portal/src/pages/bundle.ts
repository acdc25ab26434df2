import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BuildOptions, Loader, Metafile, Plugin } from 'esbuild';
import { PAGE_NAMES } from './paths.ts';
import type { PageName } from './paths.ts';
import type { PageReads } from './read-answer.ts';

/** A file that pages load from `/assets/`. Its name contains the hash of its content, so the file never changes. */
export type Asset = Readonly<{ contentType: string; bytes: Buffer }>;

/**
 * The addresses of the files that a page's HTML names. `listStyles` are only for the list of markets, `moreStyles` for
 * the other pages.
 */
interface Manifest extends Readonly<Record<'script' | 'styles' | 'listStyles' | 'moreStyles' | 'icon', string>> {
  /** The modules that a page loads besides the script: its own module, and those that both import. */
  readonly modules: Readonly<Record<PageName, readonly string[]>>;
  /** The workers (`web/**\/<name>.worker.ts`), by name. */
  readonly workers: Readonly<Record<string, string>>;
}

/** Renders a page's markup on the server, with the same components as in the browser. */
export interface FirstPaint {
  /** @param reads answers of the API, by the path that was read */
  renderPage(path: string, search: string, reads: PageReads): string;
}

export type Bundle = Manifest & Readonly<{ assets: ReadonlyMap<string, Asset>; firstPaint: FirstPaint }>;

type BundleFile = Readonly<{ name: string; bytes: Buffer }>;

const WEB = path.resolve(import.meta.dirname, '../../web');
/** The folder of built files, in an image. */
const BUILT = path.join(import.meta.dirname, 'built');
const ASSETS = 'assets/';
const MANIFEST = 'manifest.json';
const FIRST_PAINT = 'first-paint.mjs';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Replacements for Node's modules in verify-journal.mjs, with which the page of proofs also checks journals. */
const IN_BROWSERS = { 'node:crypto': './data/receipts/sha256.ts', 'node:fs': './data/receipts/no-files.ts' };

const SHARED = {
  absWorkingDir: WEB,
  bundle: true,
  charset: 'utf8',
  define: { 'process.env.NODE_ENV': '"production"' },
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'error',
  minify: true,
  write: false,
} as const satisfies BuildOptions;

/** Makes each module that `import()` loads import web/app/shared.ts first, whose comment says why. */
const sharedFirst: Plugin = {
  name: 'shared-first',
  setup(setUp) {
    const loadedLater = modulesLoadedLater();
    setUp.onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
      if (!loadedLater.has(file)) return undefined;
      const shared = path.relative(path.dirname(file), path.join(WEB, 'app/shared.ts')).replaceAll(path.sep, '/');
      const contents = `import './${shared}';\n${await readFile(file, 'utf8')}`;
      return { contents, loader: path.extname(file).slice(1) as Loader };
    });
  },
};

function modulesLoadedLater(): ReadonlySet<string> {
  const found = sources().flatMap((file) => {
    const text = readFileSync(path.join(WEB, file), 'utf8');
    return [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, to = '']) => path.join(WEB, path.dirname(file), to));
  });
  return new Set(found);
}

function sources(): readonly string[] {
  return readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules/'))
    .sort();
}

/** Loads the browser code: bundled in memory if the service runs from source, else from built files. */
export async function loadBundle(): Promise<Bundle> {
  const isSource = import.meta.url.endsWith('.ts');
  return isSource ? bundleOf(await bundleFiles()) : bundleOf(readFiles(BUILT));
}

/** Bundles the browser code into a folder, for an image. */
export async function writeBundle(folder: string): Promise<void> {
  for (const { name, bytes } of await bundleFiles()) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}

/** All files of the bundle. The same sources give the same bytes, wherever they are. */
export async function bundleFiles(): Promise<readonly BundleFile[]> {
  const { build, stop } = await import('esbuild');
  try {
    const workers = sources().filter((file) => file.endsWith('.worker.ts'));
    const { metafile, outputFiles } = await build({
      ...SHARED,
      alias: IN_BROWSERS,
      assetNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      entryNames: '[name]-[hash]',
      entryPoints: ['main.tsx', 'styles.css', 'list-styles.css', 'more-styles.css', 'icon.svg', ...workers],
      loader: { '.svg': 'copy' },
      metafile: true,
      outdir: WEB,
      plugins: [sharedFirst],
      splitting: true,
      // The first versions with popovers.
      target: ['chrome114', 'firefox125', 'safari17'],
    });
    const server = await build({ ...SHARED, entryPoints: ['first-paint.tsx'], platform: 'node', target: 'node20' });
    const manifest = manifestOf(metafile, workers);
    return [
      ...outputFiles.map((file) => ({ name: ASSETS + path.basename(file.path), bytes: Buffer.from(file.contents) })),
      { name: FIRST_PAINT, bytes: Buffer.from(server.outputFiles[0]?.contents ?? '') },
      { name: MANIFEST, bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    ].sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    // Stops esbuild's process, which would otherwise live as long as this one.
    await stop();
  }
}

function manifestOf({ outputs }: Metafile, workers: readonly string[]): Manifest {
  const byEntry = new Map(Object.entries(outputs).map(([name, { entryPoint }]) => [entryPoint, name]));
  const addressOf = (entry: string): string => `/${ASSETS}${outputOf(byEntry, entry)}`;
  const [icon] = Object.keys(outputs).filter((name) => name.endsWith('.svg'));
  if (icon === undefined) throw new Error('the bundle has no icon');
  const script = outputOf(byEntry, 'main.tsx');
  const modulesOf = (name: PageName): readonly string[] => {
    const own = outputOf(byEntry, `pages/${name}/${name}.tsx`);
    const all = new Set([...imported(outputs, script), own, ...imported(outputs, own)]);
    all.delete(script);
    return [...all].sort().map((file) => `/${ASSETS}${file}`);
  };
  return {
    script: addressOf('main.tsx'),
    styles: addressOf('styles.css'),
    listStyles: addressOf('list-styles.css'),
    moreStyles: addressOf('more-styles.css'),
    icon: `/${ASSETS}${icon}`,
    modules: Object.fromEntries(PAGE_NAMES.map((name) => [name, modulesOf(name)])) as Manifest['modules'],
    workers: Object.fromEntries(workers.map((file) => [path.basename(file, '.worker.ts'), addressOf(file)])),
  };
}

function outputOf(byEntry: ReadonlyMap<string | undefined, string>, entry: string): string {
  const name = byEntry.get(entry);
  if (name === undefined) throw new Error(`web/${entry} is not in the bundle: import() it in web/app/page-modules.ts`);
  return name;
}

/** The modules that a module imports statically, directly or not. */
function imported(outputs: Metafile['outputs'], name: string, found = new Set<string>()): ReadonlySet<string> {
  for (const { kind, path: file } of outputs[name]?.imports ?? []) {
    if (kind !== 'import-statement' || found.has(file)) continue;
    found.add(file);
    imported(outputs, file, found);
  }
  return found;
}

function readFiles(folder: string): readonly BundleFile[] {
  if (!existsSync(path.join(folder, MANIFEST))) throw new Error(`${folder} has no bundle: build the services again`);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ name: path.relative(folder, file).replaceAll(path.sep, '/'), bytes: readFileSync(file) }));
}

async function bundleOf(files: readonly BundleFile[]): Promise<Bundle> {
  const bytesOf = (wanted: string): Buffer => {
    const file = files.find(({ name }) => name === wanted);
    if (file === undefined) throw new Error(`the bundle has no ${wanted}`);
    return file.bytes;
  };
  // When the service runs from source, bundled code is in no file, so it is imported as a data URL in both cases.
  const firstPaint = `data:text/javascript;base64,${bytesOf(FIRST_PAINT).toString('base64')}`;
  const assets = files
    .filter(({ name }) => name.startsWith(ASSETS))
    .map(({ name, bytes }) => [`/${name}`, { contentType: TYPES[path.extname(name)] ?? '', bytes }] as const);
  return {
    ...(JSON.parse(bytesOf(MANIFEST).toString()) as Manifest),
    assets: new Map(assets),
    firstPaint: (await import(firstPaint)) as FirstPaint,
  };
}
