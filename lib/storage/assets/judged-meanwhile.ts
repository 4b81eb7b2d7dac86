import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { ServiceError } from '#lib/core/errors.ts';
import { changedMeanwhile } from '#lib/core/input/as-shown.ts';
import { ordinalDay } from '#lib/core/text/ordinal-day.ts';
import type { AssetState } from '#lib/db/generated/tables.ts';
import type { Transaction } from '#lib/db/transaction.ts';
import { isAnyOf } from '#lib/db/values.ts';

type Decided = { state: AssetState; reviewedBy: string | null; reviewedAt: Date | null };

const PARTICIPLES: Record<AssetState, string> = {
  GENERATED: 'remis à vérifier',
  REJECTED: 'rejeté',
  APPROVED: 'approuvé',
  DELIVERED: 'livré',
};
const instant = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
});
const list = new Intl.ListFormat('fr-FR', { type: 'conjunction' });

/**
 * Whether a decision would overwrite another one that the page did not show. False for a file that stands as asked already (the answer to that
 * saving was lost), and for one that waits for a decision: nobody’s is overwritten.
 */
export function isJudgedMeanwhile(
  { state }: { state: AssetState },
  shown: AssetState | undefined,
  next: AssetState,
): boolean {
  return shown !== undefined && state !== shown && state !== next && state !== 'GENERATED';
}

/** What was decided of these files, by whom and when as far as it is known: « Ce fichier a été rejeté (par Inès, le 3 décembre 2026 à 14:05) ». */
export async function tellJudged(
  tx: Transaction,
  { actor }: Context<AccountActor>,
  files: readonly Decided[],
): Promise<string> {
  const ids = [...new Set(files.flatMap(({ reviewedBy }) => reviewedBy ?? []))];
  const members = await tx
    .selectFrom('Member')
    .select(['id', 'name'])
    .where('accountId', '=', actor.accountId)
    .where(isAnyOf('id', ids))
    .orderBy('id')
    .execute();
  const names = members.map(({ id, name }) => (id === actor.memberId ? 'vous' : name));
  const times = files.flatMap(({ reviewedAt }) => (reviewedAt ? [reviewedAt.getTime()] : []));
  const last = times.length > 0 ? ordinalDay(instant, new Date(Math.max(...times))) : null;
  const several = files.length > 1;
  const facts = [
    // All of them, or none: one of whom nobody knows anything is not said to be of the others.
    names.length > 0 && files.every(({ reviewedBy }) => reviewedBy !== null)
      ? `par ${list.format(names)}`
      : '',
    last ? `${several ? 'pour le dernier ' : ''}le ${last}` : '',
  ].filter(Boolean);
  const states = new Set(files.map(({ state }) => state));
  const [one] = states;
  const word = states.size === 1 && one ? PARTICIPLES[one] : 'jugé';
  const what = several ? `${files.length} fichiers ont été ${word}s` : `Ce fichier a été ${word}`;
  return facts.length > 0 ? `${what} (${facts.join(', ')})` : what;
}

const then = 'La page montre maintenant ce qui vaut.';

/** The refusal of a decision about files that others have judged since the page was read; `told` begins its sentence. */
export function judgedMeanwhile(told: string): ServiceError {
  return changedMeanwhile(told, { then });
}
