import type { FormAction } from '#lib/http/actions/action-state.ts';

/**
 * The action, given only the fields that are no longer as they were shown: a colleague may have changed the others since. The action leaves as it
 * is what it is not given.
 */
export function onlyChanged<Data>(
  action: FormAction<Data>,
  shown: Readonly<Record<string, string>>,
): FormAction<Data> {
  return (state, form) => {
    for (const [field, value] of Object.entries(shown)) if (form.get(field) === value) form.delete(field);
    return action(state, form);
  };
}
