/** Records the sample answers, after a change of the API: `node --import tsx packages/core/contracts/test/golden/write-golden.ts`. */
import { writeFileSync } from 'node:fs';
import { samples } from '../samples.ts';
import { answerLines, RECORDED } from './golden.ts';

writeFileSync(RECORDED, [...answerLines(samples).values()].map((line) => `${line}\n`).join(''));
