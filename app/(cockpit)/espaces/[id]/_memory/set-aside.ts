import { sayAside } from '#app/_cockpit/drafts/say-aside.ts';

type Text = { title: string; body: string };

/** The fields on the page, by the name of what they edit. */
const fields = new Map<string, (text: never) => void>();

/** Registers the fields that take back a text set aside under this name. Returns the function that unregisters them. */
export function onTakenBack<T extends Text>(name: string, take: (text: T) => void): () => void {
  fields.set(name, take);
  return () => {
    if (fields.get(name) === take) fields.delete(name);
  };
}

/**
 * Offers to restore a replaced text, as long as its message is shown: in the fields of that name, or with `keep`, for their next opening, if they
 * are closed. What was typed meanwhile is set aside in turn.
 */
export function setAside<T extends Text>(name: string, mine: T, keep: (text: T) => void): void {
  sayAside(() => {
    const take = fields.get(name) as ((text: T) => void) | undefined;
    (take ?? keep)(mine);
  });
}
