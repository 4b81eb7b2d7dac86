import type { Command } from 'commander';
import type { AdminActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type Micros, microsFromUsd } from '#lib/core/money.ts';

/** A refusal of the shell itself: an unknown name, a missing folder. */
export class AdminError extends Error {}

/** What was typed cannot be right, whatever the database holds. */
export class MisuseError extends AdminError {}

/** Exit codes, the same with and without `--json`. */
export const EXIT = { done: 0, refused: 1, misused: 2, incomplete: 3 } as const;

export type AdminContext = Context<AdminActor>;

/**
 * Runs one command on the configured database, else on the embedded one (started for it when nothing runs). `work` returns
 * what `--json` prints; `say` prints it for a person; `exit` says what the result is worth, when not always done.
 */
export async function run<T>(
  options: { json?: boolean },
  work: (ctx: AdminContext) => Promise<T>,
  say: (result: T) => void,
  exit: (result: T) => number = () => EXIT.done,
): Promise<void> {
  // Here and in every command, what only some of them need is loaded by those: --help and a typing error load no database.
  const { withDatabase } = await import('#lib/local/prisma/with-database.ts');
  const { connectLazily } = await import('#lib/db/lazy-connection.ts');
  const { preparedBy } = await import('#lib/db/pool.ts');
  const { systemClock } = await import('#lib/core/clock.ts');
  const { createId } = await import('#lib/core/ids.ts');
  const { createLogger } = await import('#lib/core/log.ts');
  const { isOperatorMissing, OPERATOR_MISSING } = await import('#lib/identity/accounts/operator-missing.ts');
  const result = await withDatabase(async ({ url }) => {
    const connection = connectLazily({ url, poolMax: 4, preparedStatements: preparedBy(process.env) });
    try {
      const log = createLogger({
        write: (line) => process.stderr.write(`${line}\n`),
        now: () => new Date(),
        minLevel: 'warn',
      });
      const done = await work({
        actor: { type: 'admin' },
        db: connection.db,
        kysely: connection.kysely,
        clock: systemClock,
        log,
        requestId: createId('request'),
      });
      // Beside the answer, which programs read: after the work, so that naming it is not followed by this.
      if (await isOperatorMissing(connection)) process.stderr.write(`${OPERATOR_MISSING}\n`);
      return done;
    } finally {
      await connection.close();
    }
  });
  if (options.json) console.log(JSON.stringify(result, jsonValue));
  else say(result);
  process.exitCode = exit(result);
}

function jsonValue(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** A list typed with commas. */
export const list = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** An amount in dollars typed as an argument or an option, in micro-dollars. Under a thousand million: what a column holds, and a JSON number. */
export function micros(text: string): Micros {
  if (!/^\d{1,9}([.,]\d{1,6})?$/.test(text))
    throw new MisuseError(`« ${text} » n’est pas un montant en dollars.`);
  return microsFromUsd(text.replace(',', '.'));
}

/** A whole number typed as an argument or an option. */
export function integer(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new MisuseError(`« ${text} » n’est pas un nombre entier.`);
  return Number(text);
}

/** One value of a closed list, typed as an option. */
export function oneOfList<T extends string>(what: string, list: readonly T[]): (text: string) => T {
  return (text) => {
    const found = list.find((item) => item === text);
    if (!found) throw new MisuseError(`${what} inconnu : choisissez parmi ${list.join(', ')}.`);
    return found;
  };
}

/** Adds `--account` and `--json`. */
export function withAccount(command: Command): Command {
  return command
    .option('--account <compte>', 'nom ou identifiant du compte (le seul, par défaut)')
    .option('--json', 'un seul objet JSON');
}
