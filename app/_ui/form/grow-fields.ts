/** What asks the browser for it (`Textarea`), which also keeps its bounds. */
const GROWING = 'textarea.field-sizing-content';

/**
 * Has fields of several lines grow with their text in a browser that does not do it by itself (`field-sizing`: no Firefox, Safari since 26.2).
 * One that was dragged to a size keeps it; one that is emptied is small again. Returns what stops it.
 */
export function growFields(): () => void {
  if (CSS.supports('field-sizing', 'content')) return () => {};
  /** The height that each was given. */
  const given = new WeakMap<HTMLTextAreaElement, string>();
  const grow = (field: HTMLTextAreaElement) => {
    const { style, value, scrollHeight, clientHeight, offsetHeight } = field;
    if (style.height !== (given.get(field) ?? '')) return;
    if (value === '') style.height = '';
    else if (scrollHeight > clientHeight) style.height = `${scrollHeight + offsetHeight - clientHeight}px`;
    given.set(field, style.height);
  };
  const growWithin = (place: Element) => {
    for (const field of place.querySelectorAll<HTMLTextAreaElement>(GROWING)) grow(field);
  };
  const growAround = (target: EventTarget | null) => {
    const place = target instanceof Element ? target : null;
    const field = place?.closest<HTMLTextAreaElement>(GROWING);
    if (field) grow(field);
    else if (place) growWithin(place);
  };
  const typed = ({ target }: Event) => growAround(target);
  // A field that comes, and a text that a page puts into one: React writes it into the element too.
  const watcher = new MutationObserver((changes) => {
    for (const target of new Set(changes.map((change) => change.target)))
      growAround(target instanceof Element ? target : target.parentElement);
  });
  watcher.observe(document.body, { childList: true, characterData: true, subtree: true });
  document.addEventListener('input', typed);
  growWithin(document.body);
  return () => {
    watcher.disconnect();
    document.removeEventListener('input', typed);
  };
}
