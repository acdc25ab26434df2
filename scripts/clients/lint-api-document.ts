import { openApiDocument } from '@paper/contracts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral } from '@stoplight/spectral-core';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

/** Spectral's number for the severity of an error; its enum belongs to a package that it does not export. */
const SPECTRAL_ERROR = 0;

/** Prints each error that the recommended rules of Spectral and of Redocly find in the OpenAPI document, and counts them. */
const errors = [...(await spectralErrors()), ...(await redoclyErrors())];
for (const error of errors) process.stdout.write(`${error}\n`);
process.exitCode = errors.length === 0 ? 0 : 1;

async function spectralErrors(): Promise<readonly string[]> {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']] });
  const results = await spectral.run(JSON.parse(documentText()) as Record<string, unknown>);
  return results
    .filter(({ severity }: { readonly severity: number }) => severity === SPECTRAL_ERROR)
    .map(({ code, path, message }) => `spectral ${code}: ${path.join('.')}: ${message}`);
}

async function redoclyErrors(): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: documentText(), absoluteRef: '/openapi.json', config });
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, location, message }) => `redocly ${ruleId}: ${location[0]?.pointer ?? ''}: ${message}`);
}

function documentText(): string {
  return JSON.stringify(openApiDocument());
}
