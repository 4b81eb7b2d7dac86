import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { newRightsScript } from '../postgres/rights.ts';

/** For whom a migration is run, and who is told that it waits. */
export type ScriptOptions = {
  /** The application's role: it may use what a script makes from the instant that it is there, since triggers of the same script may. */
  role?: string;
  /** Called once a script that finds a table held by somebody else; it goes on asking. */
  onLockWait?: () => void;
};

/** Held by every script as long as its transaction lasts: a process that was killed leaves its server at work on one. */
export const SCRIPT_LOCK = 4_207_314;

/**
 * A waiting migration blocks every later query of its table: it gives up after less time than PostgreSQL takes to look for a deadlock, then
 * tries again.
 */
const LOCK_WAIT_MS = 800;
const ASK_AGAIN_MS = 3_000;
/** Ten minutes. */
const MOST_ATTEMPTS = 120;
const LOCK_NOT_AVAILABLE = '55P03';

/** Whether PostgreSQL keeps or undoes what this script does as one: all but indexes that are built or dropped beside everybody. */
export function isWhole(script: string): boolean {
  return !/\bconcurrently\b/i.test(withoutComments(script));
}

/**
 * Runs a script of the schema engine in one transaction, with the rights on what it makes and, for a migration, the word that it is
 * done: a process that is killed at any instant leaves all of it or nothing. Throws what PostgreSQL answers, and after ten minutes that a table is
 * still held (55P03); nothing of the script is left then.
 */
export async function runScript(pool: pg.Pool, script: string, options: ScriptOptions): Promise<void> {
  if (!isWhole(script) || isSetting(script)) {
    await pool.query(script);
    return;
  }
  const text = [
    `set local lock_timeout = ${LOCK_WAIT_MS}; select pg_advisory_xact_lock_shared(${SCRIPT_LOCK});`,
    // On lines of its own: a script may end with a comment, or without a semicolon.
    script,
    ';',
    FINISHED,
    options.role === undefined ? '' : newRightsScript(options.role),
  ].join('\n');
  for (let attempt = 1; ; attempt += 1) {
    try {
      await pool.query(text);
      return;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code !== LOCK_NOT_AVAILABLE || attempt === MOST_ATTEMPTS) throw error;
      if (attempt === 1) options.onLockWait?.();
      await sleep(ASK_AGAIN_MS);
    }
  }
}

/** The engine writes the row of a migration before it runs it, and one at a time; the first script makes the table itself. */
const FINISHED = `do $finished$ begin
  if to_regclass('public."_prisma_migrations"') is not null then
    update public."_prisma_migrations" set finished_at = now() where finished_at is null and rolled_back_at is null;
  end if;
end $finished$;`;

/** What the engine says to its connection, which is no change of the schema. */
function isSetting(script: string): boolean {
  return /^\s*(select|set|show|begin|start|commit|rollback)\b/i.test(withoutComments(script));
}

function withoutComments(script: string): string {
  return script.replace(/--[^\n]*/g, '');
}
