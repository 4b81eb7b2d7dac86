import { type Problem, ServiceError } from '#lib/core/errors.ts';
import { type Shown, type ShownValue, shownAs } from './shown-as.ts';

/** What to do about it, of a form in a dialog. */
const REOPEN = 'Fermez cette fenêtre, puis rouvrez-la pour voir ce qui vaut maintenant.';

/**
 * The `conflict` for a change that would silently undo what somebody else changed since the form was opened. `what` begins the sentence (« Ce
 * membre a été modifié »); `then` says what to do next.
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

/** A field of a change: its stored value, its new one (undefined: unchanged), and how a refusal begins: « Ce nom a été modifié ». */
type Changed = { what: string; now: ShownValue; next: ShownValue | undefined };

/**
 * Throws `conflict`, naming the fields, when a field about to change no longer has the value that the page showed. One that already has its
 * new value is no conflict: the answer to an earlier save was lost. Fields that `shown` does not mention are not compared; without `shown`,
 * none is.
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
