import { type Problem, ServiceError } from '#lib/core/errors.ts';
import { type Shown, type ShownValue, shownAs } from './shown-as.ts';

/** What to do about it, of a form in a dialog. */
const REOPEN = 'Fermez cette fenêtre, puis rouvrez-la pour voir ce qui vaut maintenant.';

/**
 * The refusal of a change made over what somebody else has changed since, which it would undo unseen. `what` begins its sentence: « Ce membre a
 * été modifié »; `then` says what to do.
 */
export function changedMeanwhile(
  what: string,
  { problems, then = REOPEN }: { problems?: Problem[]; then?: string | undefined } = {},
): ServiceError {
  return new ServiceError('conflict', {
    message: `${what} entre-temps\u00a0: rien n’a été enregistré. ${then}`,
    ...(problems ? { problems } : {}),
  });
}

/** A field that is changed: what stands, what it becomes (undefined: it stays), and how a refusal begins: « Ce nom a été modifié ». */
type Changed = { what: string; now: ShownValue; next: ShownValue | undefined };

/**
 * Throws `conflict`, naming the fields, where one of those that change is no longer as it was shown. What stands as asked already is no conflict:
 * the answer to its saving was lost. What `shown` does not speak of is changed over whatever stands; so is all when it is absent.
 */
export function requireAsShown(
  shown: Shown | undefined,
  fields: Readonly<Record<string, Changed>>,
  then?: string,
): void {
  if (!shown) return;
  const problems = Object.entries(fields).flatMap(([field, { what, now, next }]) => {
    const before = Object.hasOwn(shown, field) ? shown[field] : undefined;
    if (before === undefined || next === undefined) return [];
    const stands = shownAs(now);
    return stands === before || stands === shownAs(next) ? [] : [{ field, what }];
  });
  const [first] = problems;
  if (!first) return;
  throw changedMeanwhile(problems.length > 1 ? 'Plusieurs champs ont été modifiés' : first.what, {
    problems: problems.map(({ field, what }) => ({ field, message: `${what} entre-temps.` })),
    then,
  });
}
