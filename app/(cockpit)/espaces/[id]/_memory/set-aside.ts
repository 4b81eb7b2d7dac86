import { sayAside } from '#app/_cockpit/drafts/say-aside.ts';

type Text = { title: string; body: string };

/** The functions that put a text back into fields on the page, by the name of the edited text. */
const fields = new Map<string, (text: never) => void>();

/** Registers `take`, which puts a text set aside under this name back into its fields. Returns the function that unregisters it. */
export function onTakenBack<T extends Text>(name: string, take: (text: T) => void): () => void {
  fields.set(name, take);
  return () => {
    if (fields.get(name) === take) fields.delete(name);
  };
}

/**
 * Shows a message that offers to restore a replaced text. Restored, the text is passed to the fields registered under `name`, or to `keep` if
 * these are closed. Both must set aside in turn what was typed meanwhile.
 */
export function setAside<T extends Text>(name: string, mine: T, keep: (text: T) => void): void {
  sayAside(() => {
    const take = fields.get(name) as ((text: T) => void) | undefined;
    (take ?? keep)(mine);
  });
}
