import { existsSync } from 'node:fs';

/** Imported before a program, it shows that a wall clock two hours ahead, as long as the file CLOCK_AHEAD names is there. */
const { now } = Date;
Date.now = () => now() + (existsSync(process.env.CLOCK_AHEAD ?? '') ? 7_200_000 : 0);
