import { existsSync } from 'node:fs';

/** Imported before a program, it sets the wall clock two hours ahead for as long as the file of CLOCK_AHEAD exists. */
const { now } = Date;
Date.now = () => now() + (existsSync(process.env.CLOCK_AHEAD ?? '') ? 7_200_000 : 0);
