/** The class of fields that grow (`Textarea`), which also limits their height. */
const GROWING = 'textarea.field-sizing-content';

/**
 * Makes multi-line fields grow with their text in browsers without `field-sizing` (Firefox, Safari before 26.2). A field resized by hand keeps its
 * size; an emptied one shrinks. Returns a function that stops it.
 */
export function growFields(): () => void {
  if (CSS.supports('field-sizing', 'content')) return () => {};
  /** The height that was set on each field. */
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
  // For fields that are added, and for a text that a page sets: React also writes it into the element.
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
