import type { Shown } from '#lib/core/input/shown-as.ts';

/** Submits the values that the form showed when it opened (`shownFields`), so that the server refuses to overwrite values changed since. */
export function ShownInput({ shown }: { shown: Shown }) {
  return <input type="hidden" name="shown" value={JSON.stringify(shown)} />;
}
