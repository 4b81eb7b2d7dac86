import type { Shown } from '#lib/core/input/shown-as.ts';

/** Sends along what a form showed as it opened (`shownFields`): a change over what is no longer so is refused. */
export function ShownInput({ shown }: { shown: Shown }) {
  return <input type="hidden" name="shown" value={JSON.stringify(shown)} />;
}
