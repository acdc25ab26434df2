import { Command, InvalidArgumentError } from 'commander';

/** A program whose run follows from numbers. It ends with exit code 2 where an argument is not valid. */
export function seededProgram(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** Parses an argument such as a seed or a count. @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number > 0 && number < 2 ** 32) return number;
  throw new InvalidArgumentError('A whole number from 1 to 4,294,967,295 is needed.');
}
