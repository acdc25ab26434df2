import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** The message "validation failure: <field>: <what is wrong and what would be right>" for the first fault found. */
export function validationMessage(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'validation failure: body: is not of the documented form';
  const { field, rule } = explain(issue, []);
  return `validation failure: ${field}: ${rule}`;
}

function explain(issue: Issue, outer: readonly PropertyKey[]): { field: string; rule: string } {
  const path = [...outer, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const rule = issue.message.startsWith('Unrecognized key') ? 'is not a field here; remove it' : issue.message;
    return { field: named([...path, issue.keys[0] ?? '']), rule };
  }
  if (issue.code === 'invalid_union') {
    const closest = issue.errors.reduce<readonly Issue[]>(
      (best, errors) => (best.length === 0 || errors.length < best.length ? errors : best),
      [],
    );
    if (closest[0] !== undefined && issue.errors.length === 1) return explain(closest[0], path);
  }
  return { field: named(path), rule: ruleOf(issue) };
}

/** A field's path for a message, shortened and escaped: its name is the client's own text. */
function named(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body';
  const name = path.map(String).join('.');
  const plain = /^[\w.$-]+$/.test(name) ? name : JSON.stringify(name);
  return plain.length <= 80 ? plain : `${Array.from(plain).slice(0, 77).join('')}…`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
};

function ruleOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const kind = KINDS[issue.expected] ?? issue.expected;
      if (issue.message.endsWith('received undefined')) return `is required: ${kind}`;
      // A query parameter that is given twice arrives as a list.
      const once = issue.expected === 'string' && issue.message.endsWith('received array');
      return once ? `must be ${kind}, given once` : `must be ${kind}`;
    }
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      return issue.origin === 'array'
        ? `must have at least ${issue.minimum} items`
        : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'array' ? `must have at most ${issue.maximum} items` : `must be at most ${issue.maximum}`;
    case 'invalid_union':
      return issue.message === 'Invalid input' ? 'is none of the documented forms' : issue.message;
    default:
      return issue.message;
  }
}
