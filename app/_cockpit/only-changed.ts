import type { Shown } from '#lib/core/input/shown-as.ts';
import type { FormAction } from '#lib/http/actions/action-state.ts';

/**
 * The action, given only the fields whose text differs from the one shown, because a colleague may have changed the others since. The action leaves
 * the missing fields as they are, and refuses a change if the stored values differ from `stands`, for values that the texts do not represent fully.
 */
export function onlyChanged<Data>(
  action: FormAction<Data>,
  texts: Readonly<Record<string, string>>,
  stands: Shown = texts,
): FormAction<Data> {
  return (state, form) => {
    for (const [field, text] of Object.entries(texts)) if (form.get(field) === text) form.delete(field);
    form.set('shown', JSON.stringify(stands));
    return action(state, form);
  };
}
