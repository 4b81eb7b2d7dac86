import type { Problem } from '#lib/core/errors.ts';

/** More levels than any request of ours has: deeper, a value could not be written as JSON again. */
const MAX_DEPTH = 100;

type Place = { key: string; above: Place | null; depth: number };

/**
 * The one rule for texts from outside, wherever they stand in a value, names of fields included: no NUL (PostgreSQL holds none)
 * and no half of a surrogate pair (it would be stored as another character). The first fault, naming its field; null when there
 * is none. Only lists and plain objects are looked into. A query, a body, a form and a tool's arguments all pass here.
 */
export function unstorableText(value: unknown): Problem | null {
  const pending: { value: unknown; place: Place | null }[] = [{ value, place: null }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value: one, place } = next;
    if (typeof one === 'string') {
      const message = faultOf(one);
      if (message) return { field: nameOf(place), message };
    } else if (Array.isArray(one) || isPlainObject(one)) {
      const depth = (place?.depth ?? 0) + 1;
      if (depth > MAX_DEPTH)
        return { field: nameOf(top(place)), message: `Il y a plus de ${MAX_DEPTH} niveaux d’imbrication.` };
      const entries = Object.entries(one);
      // Backwards, so that the first field is looked at first.
      for (let index = entries.length - 1; index >= 0; index -= 1) {
        const [key, child] = entries[index] as [string, unknown];
        const here = { key, above: place, depth };
        const message = faultOf(key);
        if (message) return { field: nameOf(here), message };
        pending.push({ value: child, place: here });
      }
    }
  }
  return null;
}

function faultOf(text: string): string | null {
  if (text.includes('\u0000')) return 'Le caractère NUL (U+0000) n’est pas accepté.';
  if (!text.isWellFormed())
    return 'Ce texte contient un demi-codet isolé\u00a0: ce n’est pas de l’Unicode valide.';
  return null;
}

/** Whether a text may be kept as it is. */
export function isStorable(text: string): boolean {
  return faultOf(text) === null;
}

/** A text without what may not be kept, for words of a file that nobody typed: no refusal is worth it. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const top = (place: Place | null): Place | null => (place?.above ? top(place.above) : place);

/** `fields.title`, as the schemas' own problems name a place; what is no text in a name is shown as what stands for it. */
function nameOf(place: Place | null): string {
  const keys: string[] = [];
  for (let one = place; one; one = one.above)
    keys.unshift(one.key.replaceAll('\u0000', '\ufffd').slice(0, 100).toWellFormed());
  return keys.join('.') || 'corps';
}
