import { KeptConnection } from '../../harness/kept-connection.ts';

/** Answer times in ms of readers on kept connections, each of which requests the paths in turn. */
export async function answerTimes(
  port: number,
  paths: readonly string[],
  readers: number,
  ms: number,
): Promise<number[]> {
  const untilMs = performance.now() + ms;
  const times: number[] = [];
  const read = async (reader: number): Promise<void> => {
    const connection = await KeptConnection.open(port);
    for (let n = reader; performance.now() < untilMs; n += readers) {
      const path = paths[n % paths.length] ?? '/';
      const begunMs = performance.now();
      const { status, head } = await connection.ask(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
      if (status !== 200) throw new Error(`${path}: ${head}`);
      times.push(performance.now() - begunMs);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: readers }, (_, reader) => read(reader)));
  return times;
}

export function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * at)] ?? 0;
}
