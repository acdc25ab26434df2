import { readFileSync } from 'node:fs';

/**
 * Ends this process together with its terminal. If npm runs in the foreground of a terminal, this process ends when npm
 * has ended (SIGKILL of npm does not stop its children) or the terminal was closed (SIGHUP). Otherwise, as with
 * `nohup npm start &`, over ssh or under a supervisor, the starter of npm may end at any time, and this process goes on
 * until it gets a signal itself. nohup ignores SIGHUP, but Node resets that, so this process ignores SIGHUP again.
 */
export function endWithParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  if (!isInForeground()) {
    process.on('SIGHUP', () => undefined);
    return;
  }
  // The streams are created now: while a terminal closes that would throw in the middle of the stop.
  const streams = [process.stdout, process.stderr];
  let isEnding = false;
  for (const stream of streams) {
    // A closed terminal accepts no line of the log, even before its SIGHUP is read. That must not cut the stop short.
    stream.on('error', (error) => {
      if (!isEnding && error.code !== 'EIO') throw error;
    });
  }
  // A terminal closes together with its npm, so both events come; a second SIGTERM would mean a person who does not
  // wait.
  const end = () => {
    // A second SIGHUP follows at once, and would end a process that for a moment has no listener.
    process.on('SIGHUP', () => undefined).off('SIGHUP', end);
    clearInterval(timer);
    isEnding = true;
    process.kill(process.pid, 'SIGTERM');
  };
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== npm) end();
  }, 500);
  timer.unref();
  process.on('SIGHUP', end);
}

/** Whether npm and this process are in the process group in the terminal's foreground. */
function isInForeground() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // After the name in brackets: state, parent, group, session, terminal, the group in its foreground (-1: no terminal).
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground;
  } catch {
    // Only Linux has /proc.
    return process.stdin.isTTY === true;
  }
}
