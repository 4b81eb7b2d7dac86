'use client';
import { useEffect, useRef } from 'react';
import { growFields } from '../form/grow-fields.ts';
import { exactTime } from '../format.ts';
import { holdSingleKeys } from '../single-keys.ts';
import { cutShort } from '../text/cut-short.ts';
import { holdStrayDrops } from './stray-drops.ts';

const DELAY_MS = 350;
const GAP = 6;
/** Characters of a cut text that are told: a whole page of them would cover the page. */
const MOST_TOLD = 600;

/** What a tap already does something with: it goes where the whole is said, or acts. */
const TAPPED = 'a, button, label, summary, input, select, textarea';

/** The element at or around a target that has more to say than it shows: it asks for a tip, or its text is cut. */
function ownerOf(at: EventTarget | null | undefined): HTMLElement | null {
  if (!(at instanceof Element)) return null;
  const asking = at.closest<HTMLElement>('[data-tip]');
  if (asking) return asking;
  const cut = at.closest<HTMLElement>('.truncate, [class*="line-clamp-"]');
  return cut && (cut.scrollWidth > cut.clientWidth || cut.scrollHeight > cut.clientHeight + 1) ? cut : null;
}

/** What it has to say: its tip, the exact moment of a time whose tip is empty, or its own text, which is cut. */
export function wordsOf(owner: HTMLElement): string {
  const { tip } = owner.dataset;
  const at = tip === '' ? owner.getAttribute('datetime') : null;
  return at ? exactTime(at) : (tip ?? cutShort(owner.textContent ?? '', MOST_TOLD));
}

/**
 * One tooltip for the whole page. Any element, server-rendered or not, asks for it with `data-tip="…"` (empty: see `wordsOf`), and a
 * text that is cut has one unasked; a list of two thousand rows costs nothing more. Shown on hover, on keyboard focus and by a tap on
 * what does nothing else; left by Escape or another tap, and one can move the pointer onto it. It repeats or completes what the element
 * already says to assistive technology.
 */
export default function Tooltips() {
  const bubble = useRef<HTMLDivElement>(null);
  // Here because this script is on every page and follows its own.
  useEffect(holdStrayDrops, []);
  useEffect(growFields, []);
  useEffect(holdSingleKeys, []);
  useEffect(() => {
    const tip = bubble.current;
    if (!tip) return;
    let owner: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let warmUntil = 0;
    // What a finger has just pressed, and what was told before it did: a second tap closes.
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
      // A tap gives the focus to the page around what it is on, once it has told.
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
    // Not `click`: Safari on a phone tells of none on what does nothing.
    document.addEventListener('pointerup', tap, options);
    document.addEventListener('focusin', focus, options);
    document.addEventListener('keydown', key, options);
    window.addEventListener('scroll', hide, { ...options, capture: true });
    // What was pointed at while this script was on its way.
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
      // What is drawn around it holds the pointer on its way over the gap: the tip would go before one is on it.
      className="wrap-anywhere fixed z-70 max-w-80 whitespace-pre-line rounded-[6px] bg-ink px-2 py-1 text-ground text-xs before:absolute before:inset-x-0 before:-inset-y-1.5"
    />
  );
}
