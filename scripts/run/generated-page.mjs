import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { NOT_INCLUDED } from './not-included.mjs';

/** The folder of the pages that programs write. */
export const RESULTS = 'docs/prove/results';

const HEADS = {
  'benchmarks.md': `# Benchmarks

Each section but the log is the output of the command in its first line, word for word; no figure is typed. With \`--write\` the command
writes its section anew. The last line of a section says what it does not include. Peers run in the same run, taking turns
with ours: on a shared machine a ratio says more than a figure.
`,
  'reliability.md': `# Reliability

Each section with a command is the output of that command, word for word; no figure is typed. With \`--write\` the command
writes its section anew. The last line of a section says what it does not include.
`,
};

/**
 * Runs a program in a process of its own and writes its output into the section `name` of a page of results. Returns
 * its exit code; the page changes only for 0 and 1 (it ran, and met its bars or not).
 */
export async function runToPage(root, { page: pageName, name, command: ownCommand, file, options }) {
  const { code, output } = await runShown(root, file, options);
  if (code > 1) return code;
  const page = path.join(root, RESULTS, pageName);
  const sections = new Map(existsSync(page) ? parse(readFileSync(page, 'utf8')) : []);
  const command = [ownCommand, ...options].join(' ');
  sections.set(
    name,
    `${machine(root)}\n\n\`\`\`console\n$ ${command}\n${output.trimEnd()}\n\`\`\`${notIncluded(name)}`,
  );
  // The log of changes is written by hand, and stands last.
  const rank = (title) => (title === 'log' ? 1 : 0);
  const sorted = [...sections].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const texts = sorted.map(([title, text]) => `## ${title}\n\n${text}\n`);
  writeFileSync(page, [headOf(pageName, [...sections.keys()]), ...texts].join('\n'));
  process.stdout.write(`Written to ${path.relative(root, page)}\n`);
  return code;
}

/**
 * The text above the sections: an introduction of the page, and a table of contents. Titles are words joined by
 * hyphens.
 */
export function headOf(pageName, titles) {
  const contents = titles.toSorted().map((title) => `- [${title}](#${title})\n`);
  return `${HEADS[pageName]}\n${contents.join('')}`;
}

/** The closing paragraph of a section, about what its figures leave out. */
export function notIncluded(name) {
  return `\n\nNot included: ${NOT_INCLUDED[name]}.`;
}

function* parse(text) {
  for (const section of text.split(/^## /m).slice(1)) {
    const end = section.indexOf('\n');
    yield [section.slice(0, end), section.slice(end).trim()];
  }
}

function machine(root) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const day = new Date().toISOString().slice(0, 10);
  const load = os.loadavg()[0].toFixed(1);
  const hardware = `${os.cpus().length} cores, ${firstUseOfPage().toFixed(1)} µs to use a new page of memory`;
  return `${day}, commit ${commit}, Node ${process.versions.node}, ${hardware}, load ${load} at the end.`;
}

/**
 * Measures the first use of a page of memory, in µs. It is below 1 on most machines, and 18 on a virtual one that gives
 * freed memory back to its host: there, programs start and grow at half their speed.
 */
function firstUseOfPage() {
  const bytes = 2 ** 28;
  const begunMs = performance.now();
  Buffer.alloc(bytes, 1);
  return ((performance.now() - begunMs) * 1_000) / (bytes / 4_096);
}

/** Runs a program and collects only its standard output; a benchmark reports progress on standard error. */
function runShown(root, file, options) {
  return new Promise((resolve) => {
    const uncaught = new URL('uncaught.mjs', import.meta.url).href;
    const child = spawn(process.execPath, ['--import', uncaught, '--import', 'tsx', file, ...options], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks = [];
    child.stdout.on('data', (chunk) => {
      chunks.push(chunk);
      process.stdout.write(chunk);
    });
    child.once('error', (error) => resolve({ code: 2, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 2, output: Buffer.concat(chunks).toString() }));
  });
}
