import { spawn } from 'node:child_process';
import path from 'node:path';

/** Runs a tool of node_modules; returns its exit code and output. */
export function runLocal(root, tool, args) {
  return run(root, path.join(root, 'node_modules', '.bin', tool), args);
}

/** Runs a TypeScript program of the repository; returns its exit code and output. */
export function runProgram(root, file, args) {
  return run(root, process.execPath, ['--import', 'tsx', path.join(root, file), ...args]);
}

function run(root, program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.once('error', (error) => resolve({ code: 1, output: `${error.message}\n` }));
    child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}
