'use client';
import { useEffect, useRef } from 'react';

const DELAY_MS = 350;
const GAP = 6;

/**
 * One tooltip for the whole page. Any element, server-rendered or not, asks for it with `data-tip="…"`; a list of
 * two thousand rows costs nothing more. Shown on hover and on keyboard focus, left by Escape, and one can
 * move the pointer onto it. It repeats or completes what the element already says to assistive technology.
 */
export function TooltipLayer() {
  const bubble = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tip = bubble.current;
    if (!tip) return;
    let owner: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let warmUntil = 0;

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
    const show = (target: HTMLElement) => {
      if (target === owner) return;
      clearTimeout(timer);
      tip.hidden = true;
      owner = target;
      timer = setTimeout(
        () => {
          const text = target.dataset.tip;
          if (!text || !target.isConnected) return;
          tip.textContent = text;
          tip.hidden = false;
          place(target);
        },
        performance.now() < warmUntil ? 0 : DELAY_MS,
      );
    };
    const withTip = (event: Event) =>
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null;
    const over = (event: PointerEvent) => {
      if (event.pointerType === 'touch' || (event.target instanceof Node && tip.contains(event.target)))
        return;
      const target = withTip(event);
      if (target) show(target);
      else if (owner) hide();
    };
    const focus = (event: FocusEvent) => {
      const target = withTip(event);
      if (target?.matches(':focus-visible')) show(target);
      else if (owner) hide();
    };
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide();
    };
    const listening = new AbortController();
    const options = { signal: listening.signal, passive: true };
    document.addEventListener('pointerover', over, options);
    document.addEventListener('pointerdown', hide, options);
    document.addEventListener('focusin', focus, options);
    document.addEventListener('keydown', key, options);
    window.addEventListener('scroll', hide, { ...options, capture: true });
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
      className="wrap-anywhere fixed z-70 max-w-80 whitespace-pre-line rounded-[6px] bg-ink px-2 py-1 text-ground text-xs"
    />
  );
}
