const EVERY_REQUESTS = 2_000;

/** The largest memory use of a process, by its own metrics. */
export class Memory {
  residentBytesMax = 0;
  #lookedAt = -EVERY_REQUESTS;

  constructor(private readonly metricsUrl: string) {}

  async look(sent: number): Promise<void> {
    if (sent - this.#lookedAt < EVERY_REQUESTS) return;
    this.#lookedAt = sent;
    const text = await (await fetch(this.metricsUrl)).text();
    const bytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
    this.residentBytesMax = Math.max(this.residentBytesMax, bytes);
  }
}
