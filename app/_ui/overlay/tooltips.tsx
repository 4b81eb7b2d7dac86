'use client';
import { useEffect, useRef } from 'react';
import { growFields } from '../form/grow-fields.ts';
import { exactTime } from '../format.ts';
import { holdSingleKeys } from '../single-keys.ts';
import { cutShort } from '../text/cut-short.ts';
import { holdStrayDrops } from './stray-drops.ts';

const DELAY_MS = 350;
const GAP = 6;
/** Maximum length of a truncated text in a tooltip, in UTF-16 code units: more would cover the page. */
const MOST_TOLD = 600;

/** Elements on which a tap already does something: it opens the whole text, or acts. */
const TAPPED = 'a, button, label, summary, input, select, textarea';

/** The element at or around a target that has a tooltip: it has a `data-tip`, or its text is truncated. */
function ownerOf(at: EventTarget | null | undefined): HTMLElement | null {
  if (!(at instanceof Element)) return null;
  const asking = at.closest<HTMLElement>('[data-tip]');
  if (asking) return asking;
  const cut = at.closest<HTMLElement>('.truncate, [class*="line-clamp-"]');
  return cut && (cut.scrollWidth > cut.clientWidth || cut.scrollHeight > cut.clientHeight + 1) ? cut : null;
}

/**
 * The text of a tooltip: the `data-tip`; the exact time of a `time` whose `data-tip` is empty; without `data-tip`, the truncated text, cut short. Any
 * other element with an empty `data-tip` has none.
 */
export function wordsOf(owner: HTMLElement): string {
  const { tip } = owner.dataset;
  const at = tip === '' ? owner.getAttribute('datetime') : null;
  return at ? exactTime(at) : (tip ?? cutShort(owner.textContent ?? '', MOST_TOLD));
}

/**
 * One tooltip for the whole page. Any element, server-rendered or not, asks for it with `data-tip="…"` (see `wordsOf`); truncated texts have one
 * without asking, and two thousand rows cost nothing more. Shown on hover, on keyboard focus and by a tap on an element that does nothing else.
 * Escape or another tap closes it, and the pointer may move onto it.
 */
export default function Tooltips() {
  const bubble = useRef<HTMLDivElement>(null);
  // Here, because this script is on every page and loads after the page's own.
  useEffect(holdStrayDrops, []);
  useEffect(growFields, []);
  useEffect(holdSingleKeys, []);
  useEffect(() => {
    const tip = bubble.current;
    if (!tip) return;
    let owner: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let warmUntil = 0;
    // Whether the last press was a finger's, and the element whose tooltip it closed: a second tap must not show it again.
    let touched = false;
    let described: HTMLElement | null = null;

    const hide = () => {
      clearTimeout(timer);
      if (!tip.hidden) warmUntil = performance.now() + 300;
      owner = null;
      tip.hidden = true;
    };
    const place = (target: HTMLElement) => {
      const box = target.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = tip;
      const left = Math.min(Math.max(8, box.left + box.width / 2 - width / 2), window.innerWidth - width - 8);
      const under = box.bottom + GAP + height < window.innerHeight;
      tip.style.left = `${Math.max(8, left)}px`;
      tip.style.top = `${under ? box.bottom + GAP : Math.max(8, box.top - height - GAP)}px`;
    };
    const show = (target: HTMLElement, delay = performance.now() < warmUntil ? 0 : DELAY_MS) => {
      if (target === owner) return;
      clearTimeout(timer);
      tip.hidden = true;
      owner = target;
      timer = setTimeout(() => {
        const text = wordsOf(target);
        if (!text || !target.isConnected) return;
        tip.textContent = text;
        tip.hidden = false;
        place(target);
      }, delay);
    };
    const over = (event: PointerEvent) => {
      if (event.pointerType === 'touch' || (event.target instanceof Node && tip.contains(event.target)))
        return;
      const target = ownerOf(event.target);
      if (target) show(target);
      else if (owner) hide();
    };
    const focus = (event: FocusEvent) => {
      // A tap also moves the focus to the page around its target, after the tooltip is shown.
      if (touched) return;
      const target = ownerOf(event.target);
      if (target?.matches(':focus-visible')) show(target);
      else if (owner) hide();
    };
    const press = (event: PointerEvent) => {
      touched = event.pointerType === 'touch';
      described = tip.hidden ? null : owner;
      hide();
    };
    const tap = (event: Event) => {
      const target = touched ? ownerOf(event.target) : null;
      if (target && target !== described && !target.closest(TAPPED)) show(target, 0);
    };
    const key = (event: KeyboardEvent) => {
      touched = false;
      if (event.key === 'Escape') hide();
    };
    const listening = new AbortController();
    const options = { signal: listening.signal, passive: true };
    document.addEventListener('pointerover', over, options);
    document.addEventListener('pointerdown', press, options);
    // Not `click`: Safari on a phone sends none for elements that do nothing.
    document.addEventListener('pointerup', tap, options);
    document.addEventListener('focusin', focus, options);
    document.addEventListener('keydown', key, options);
    window.addEventListener('scroll', hide, { ...options, capture: true });
    // The element under the pointer while this script was loading.
    const pointed = ownerOf([...document.querySelectorAll(':hover')].at(-1));
    if (pointed) show(pointed);
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, []);
  return (
    <div
      ref={bubble}
      hidden
      aria-hidden
      // The pseudo-element covers the gap, so that the pointer can cross it before the tooltip closes.
      className="wrap-anywhere fixed z-70 max-w-80 whitespace-pre-line rounded-[6px] bg-ink px-2 py-1 text-ground text-xs before:absolute before:inset-x-0 before:-inset-y-1.5"
    />
  );
}
