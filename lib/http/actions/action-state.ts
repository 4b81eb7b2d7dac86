import type { Problem } from '#lib/core/errors.ts';

/** What a server action answers: to `Form` (app/_ui/form), or to the component that called it. */
export type ActionState<Data = unknown> =
  | { status: 'idle' }
  | { status: 'done'; message?: string; data?: Data }
  | {
      status: 'refused';
      /** What happened, what is safe, what to do next. */
      message: string;
      /** The code of the refusal in `lib/core/errors.ts`. */
      code?: string;
      problems?: Problem[];
      requestId?: string;
      /** What was typed, for a reader without JavaScript. */
      values?: Record<string, string[]>;
      data?: Data;
    };

/** A server action as `Form` calls it. */
export type FormAction<Data = unknown> = (
  state: ActionState<Data>,
  form: FormData,
) => Promise<ActionState<Data>>;

export const IDLE: ActionState<never> = { status: 'idle' };

/** The French sentences about one field, if any. */
export function problemsOf(state: ActionState, name: string): string[] {
  if (state.status !== 'refused') return [];
  return (state.problems ?? []).filter((problem) => problem.field === name).map((problem) => problem.message);
}

/** The texts of a submitted form by field name, without its files, its secrets and React's own fields. */
export function typedValues(form: FormData): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const [name, value] of form) {
    if (typeof value !== 'string' || name.startsWith('$ACTION') || /password|secret|code/i.test(name))
      continue;
    values[name] = [...(values[name] ?? []), value];
  }
  return values;
}
