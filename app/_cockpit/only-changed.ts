import type { Shown } from '#lib/core/input/shown-as.ts';
import type { FormAction } from '#lib/http/actions/action-state.ts';

/**
 * The action, given only the fields that are no longer as their texts were shown: a colleague may have changed the others since. The action leaves as it
 * is what it is not given, and refuses to change what no longer stands as shown: `stands`, where the texts do not say it whole.
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
