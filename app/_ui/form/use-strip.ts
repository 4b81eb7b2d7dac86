import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react';

const FADE = '1.75rem';

/**
 * For a strip that may be wider than its container. The chosen option is scrolled into sight whenever the choice or a width changes (a font loads,
 * the screen turns), and an end fades where the strip continues.
 */
export function useStrip(chosen: string | undefined): {
  strip: RefObject<HTMLDivElement | null>;
  fade: CSSProperties;
} {
  const strip = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState({ before: false, after: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen input is read from the page
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const measure = () => {
      const before = element.scrollLeft > 1;
      const after = element.scrollLeft + element.clientWidth < element.scrollWidth - 1;
      setMore((old) => (old.before === before && old.after === after ? old : { before, after }));
    };
    const centre = () => {
      const label = element.querySelector(':checked')?.parentElement;
      if (label) element.scrollLeft = label.offsetLeft - (element.clientWidth - label.offsetWidth) / 2;
      measure();
    };
    const watcher = new ResizeObserver(centre);
    for (const one of [element, ...element.children]) watcher.observe(one);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [chosen]);
  if (!more.before && !more.after) return { strip, fade: {} };
  const start = more.before ? `transparent, black ${FADE}` : 'black';
  const end = more.after ? `black calc(100% - ${FADE}), transparent` : 'black';
  return { strip, fade: { maskImage: `linear-gradient(to right, ${start}, ${end})` } };
}
