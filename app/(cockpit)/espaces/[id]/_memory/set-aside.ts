import { sayAside } from '#app/_cockpit/drafts/say-aside.ts';

type Text = { title: string; body: string };

/** The fields that are on the page, by what they write. */
const fields = new Map<string, (text: never) => void>();

/** Has a text that was set aside under this name go back to fields of the page, until what this returns is called. */
export function onTakenBack<T extends Text>(name: string, take: (text: T) => void): () => void {
  fields.set(name, take);
  return () => {
    if (fields.get(name) === take) fields.delete(name);
  };
}

/**
 * Offers a text that another takes the place of, for as long as the message stays: to the fields of its name, opened anew or not; once they are
 * closed, to `keep`, for when they open again. Whoever takes it sets aside in its turn what was typed meanwhile.
 */
export function setAside<T extends Text>(name: string, mine: T, keep: (text: T) => void): void {
  sayAside(() => {
    const take = fields.get(name) as ((text: T) => void) | undefined;
    (take ?? keep)(mine);
  });
}
