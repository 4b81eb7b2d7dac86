import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The options of a command. `--help` prints the usage; one that is unknown or wrong prints why, and exits with 2. */
export function readOptions<const T extends { options: Options; allowPositionals?: boolean }>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.includes('--help')) {
    console.log(`Usage: ${usage}`);
    process.exit();
  }
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: ${usage}`);
    process.exit(2);
  }
}

/** The whole number that an option holds, `least` or more. Another value prints why, and exits with 2: it would measure or check nothing. */
export function readCount(name: string, text: string, least = 1): number {
  const count = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(count) && count >= least) return count;
  console.error(`--${name} is a whole number, ${least} or more: ${text}`);
  process.exit(2);
}
