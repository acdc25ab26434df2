import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from './workspace.mjs';

/** Files with which Node is started: services, commands, child processes and threads. */
const PROGRAM =
  /^(services\/[^/]+\/src\/(main|programs\/[^/]+)|packages\/operations\/operator-cli\/src\/programs\/[^/]+|services\/command-api\/src\/database-roles\/prepare|.*\/(judging-thread|snapshot-process|(backtest|reading)-process|[^/]+-worker))\.ts$/;

/** Whether a source file is one that `bundlePrograms` bundles for users. */
export function isProgram(root, file) {
  return PROGRAM.test(relative(root, file));
}

/** Modules that tests load as built, since what they start loads faster then. */
const TESTED = [
  'packages/kit/embedded-postgres/src/index.ts',
  'packages/core/command-side/src/snapshots/child.ts',
  'services/query-api/src/journal/page-thread.ts',
];

/** Large modules that few programs load, optional ones that may be missing, and modules with native binaries. */
const NOT_BUNDLED = /^(@eventstore\/db-client|@node-rs\/argon2|esbuild|oxc-transform|pg-native|tsx)(\/|$)/;

/**
 * Bundles each program with all its imports into a folder, by the paths of its sources; `chunks/` has shared parts. Node
 * then opens ten files instead of a thousand and compiles none, which saves two thirds of a program's CPU time at its
 * start. The folder may be moved afterwards.
 */
export async function bundlePrograms(root, folder) {
  const { build, stop } = await import('esbuild');
  const programs = filesBelow(root, ['packages', 'services']).filter((file) => PROGRAM.test(file));
  try {
    await build({
      absWorkingDir: root,
      // CommonJS libraries call require() for Node's own modules.
      banner: {
        js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
      },
      bundle: true,
      chunkNames: 'chunks/[name]-[hash]',
      entryPoints: [...programs, ...TESTED],
      format: 'esm',
      logLevel: 'error',
      outbase: root,
      outdir: folder,
      platform: 'node',
      plugins: [keepPlaces(root), keepApart],
      sourcemap: true,
      // Node keeps the maps of all loaded files in memory; lines in stack traces need no sources in them.
      sourcesContent: false,
      splitting: true,
      target: `node${process.versions.node}`,
      tsconfig: path.join(root, 'tsconfig.base.json'),
    });
  } finally {
    // Stops esbuild's process, which would otherwise live as long as this one.
    await stop();
  }
}

/** Finds the build's folder from any bundled file. */
const ROOT = `
  import { existsSync } from 'node:fs';
  let folder = new URL('./', import.meta.url);
  while (!existsSync(new URL('pnpm-workspace.yaml', folder))) folder = new URL('../', folder);
  export { folder };
`;

/** Keeps `import.meta` as in an unbundled build, so that files found or started by a relative path are found. */
function keepPlaces(root) {
  return {
    name: 'keep places',
    setup(build) {
      build.onResolve({ filter: /^root-of-build$/ }, () => ({ path: 'root-of-build', namespace: 'root-of-build' }));
      build.onLoad({ filter: /./, namespace: 'root-of-build' }, () => ({ contents: ROOT }));
      build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const own = relative(root, file).replace(/\.ts$/, '.js');
        if (own.startsWith('../') || own.includes('node_modules/')) return undefined;
        const text = readFileSync(file, 'utf8');
        if (!text.includes('import.meta.')) return undefined;
        const url = `new URL(${JSON.stringify(own)}, rootOfBuild)`;
        const contents = text
          .replaceAll('import.meta.url', `${url}.href`)
          .replaceAll('import.meta.filename', `pathOfBuild(${url})`)
          .replaceAll('import.meta.dirname', `pathOfBuild(new URL('./', ${url})).slice(0, -1)`);
        return {
          loader: 'ts',
          contents: `import { folder as rootOfBuild } from 'root-of-build'; import { fileURLToPath as pathOfBuild } from 'node:url'; ${contents}`,
        };
      });
    },
  };
}

/** An esbuild plugin: these packages are not bundled, but imported from where they are installed. */
const keepApart = {
  name: 'keep apart',
  setup(build) {
    build.onResolve({ filter: NOT_BUNDLED }, async ({ path: name, importer, kind, pluginData, resolveDir }) => {
      if (pluginData === 'asked') return undefined;
      const { errors, path: file } = await build.resolve(name, { importer, kind, pluginData: 'asked', resolveDir });
      return { external: true, path: errors.length > 0 ? name : file };
    });
  },
};

function relative(folder, file) {
  return path.relative(folder, file).replaceAll(path.sep, '/');
}
