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
