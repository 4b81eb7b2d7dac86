'use server';
import { redirect } from 'next/navigation';
import { env } from '#lib/core/env.ts';
import { type ActionState, typedValues } from '#lib/http/actions/action-state.ts';

/** Answers the style guide's form: refuses an empty title, touches nothing. */
export async function demonstrationSave(_: ActionState, form: FormData): Promise<ActionState> {
  if (env().isProduction) redirect('/');
  const title = String(form.get('title') ?? '').trim();
  if (title) return { status: 'done', message: 'Mémoire ajoutée' };
  return {
    status: 'refused',
    message: 'La mémoire n’a pas été ajoutée. Ce que vous avez saisi est toujours là.',
    problems: [
      { field: 'title', message: 'Donnez un titre\u00a0: c’est par lui que la mémoire sera retrouvée.' },
    ],
    requestId: 'req_01JDG5T8Z6M2Q4W7Y9',
    values: typedValues(form),
  };
}

/** The style guide has no session to end. */
export async function demonstrationSignOut(): Promise<void> {
  redirect('/apercu');
}

/** Stands in for the shell's account switch: the guide has one account. */
export async function demonstrationSwitch(): Promise<ActionState> {
  return { status: 'done' };
}
