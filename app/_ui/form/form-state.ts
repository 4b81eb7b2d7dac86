import type { Problem } from '#lib/core/errors.ts';

/** What a server action answers to a `Form`. */
export type FormState<Data = unknown> =
  | { status: 'idle' }
  | { status: 'done'; message?: string; data?: Data }
  | {
      status: 'refused';
      /** What happened, what is safe, what to do next. */
      message: string;
      problems?: Problem[];
      requestId?: string;
      /** What was typed, for a reader without JavaScript; `typedValues(formData)` makes it. */
      values?: Record<string, string[]>;
      data?: Data;
    };

export type FormAction<Data = unknown> = (state: FormState<Data>, form: FormData) => Promise<FormState<Data>>;

export const IDLE: FormState<never> = { status: 'idle' };

/** The texts of a submitted form by field name, without its files and without React's own fields. */
export function typedValues(form: FormData): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const [name, value] of form) {
    if (typeof value !== 'string' || name.startsWith('$ACTION') || /password|secret|code/i.test(name))
      continue;
    values[name] = [...(values[name] ?? []), value];
  }
  return values;
}

/** The French sentences about one field, if any. */
export function problemsOf(state: FormState, name: string): string[] {
  if (state.status !== 'refused') return [];
  return (state.problems ?? []).filter((problem) => problem.field === name).map((problem) => problem.message);
}
