'use client';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

export const MOST_ZOOM = 8;
const STEP = 1.5;
/** A finger that moves this far sideways, in pixels, shows the next file. */
const SWIPE = 60;

type Point = { x: number; y: number };
/** A trackpad pinch, as only Safari reports it. */
type Gesture = Event & { scale: number; clientX: number; clientY: number };
type Touch = { clientX: number; clientY: number };

const clamp = (zoom: number) => Math.min(MOST_ZOOM, Math.max(1, Math.round(zoom * 100) / 100));
const between = ([a, b]: readonly [Touch, Touch]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);

/**
 * The zoom of a picture: by buttons, keys, a double click, or a pinch with two fingers or on the trackpad, around the point of the gesture. `swiped`
 * is called when a finger moves sideways over a picture that is not enlarged.
 */
export function useZoom(stage: RefObject<HTMLElement | null>, swiped: (forward: boolean) => void) {
  const [zoom, setZoom] = useState(1);
  const kept = useRef<{ point: Point; ratio: number } | null>(null);
  const latest = useRef({ zoom, swiped });
  latest.current = { zoom, swiped };

  const zoomTo = useCallback(
    (wanted: number, point?: Point) => {
      const element = stage.current;
      const next = clamp(wanted);
      const before = latest.current.zoom;
      if (!element || next === before) return;
      kept.current = {
        point: point ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 },
        ratio: next / before,
      };
      latest.current.zoom = next;
      setZoom(next);
    },
    [stage],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the zoom has given the picture its new size
  useLayoutEffect(() => {
    const element = stage.current;
    if (!element || !kept.current) return;
    const { point, ratio } = kept.current;
    kept.current = null;
    element.scrollTo({
      left: (element.scrollLeft + point.x) * ratio - point.x,
      top: (element.scrollTop + point.y) * ratio - point.y,
      behavior: 'instant',
    });
  }, [zoom, stage]);

  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const listening = new AbortController();
    const { signal } = listening;
    const pointOf = (clientX: number, clientY: number): Point => {
      const { left, top } = element.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    let pinch: { distance: number; zoom: number } | null = null;
    let start: Point | null = null;
    const pair = ({ touches: [a, b] }: TouchEvent) => (a && b ? ([a, b] as const) : null);
    const began = (event: TouchEvent) => {
      const two = pair(event);
      pinch = two ? { distance: between(two), zoom: latest.current.zoom } : null;
      const [one] = event.touches;
      start = !two && one ? { x: one.clientX, y: one.clientY } : null;
    };
    const moved = (event: TouchEvent) => {
      const two = pair(event);
      if (!two || !pinch) return;
      event.preventDefault();
      const [a, b] = two;
      zoomTo(
        (pinch.zoom * between(two)) / pinch.distance,
        pointOf((a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2),
      );
    };
    const ended = (event: TouchEvent) => {
      const [last] = event.changedTouches;
      if (start && last && latest.current.zoom === 1) {
        const across = last.clientX - start.x;
        if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(last.clientY - start.y))
          latest.current.swiped(across < 0);
      }
      start = null;
      if (event.touches.length < 2) pinch = null;
    };
    const wheel = (event: WheelEvent) => {
      // A trackpad pinch, or Ctrl and the wheel.
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomTo(latest.current.zoom * Math.exp(-event.deltaY / 200), pointOf(event.clientX, event.clientY));
    };
    // Safari's own gesture events, also sent for two fingers, which are handled as touches. Unhandled, they zoom the page.
    let squeezed = 1;
    const gestureBegan = (event: Event) => {
      event.preventDefault();
      squeezed = latest.current.zoom;
    };
    const gestureMoved = (event: Event) => {
      event.preventDefault();
      const { scale, clientX, clientY } = event as Gesture;
      if (!pinch) zoomTo(squeezed * scale, pointOf(clientX, clientY));
    };
    const twice = (event: MouseEvent) =>
      zoomTo(latest.current.zoom > 1 ? 1 : 2.5, pointOf(event.clientX, event.clientY));
    element.addEventListener('touchstart', began, { signal, passive: true });
    element.addEventListener('touchmove', moved, { signal, passive: false });
    element.addEventListener('touchend', ended, { signal, passive: true });
    element.addEventListener('wheel', wheel, { signal, passive: false });
    element.addEventListener('gesturestart', gestureBegan, { signal, passive: false });
    element.addEventListener('gesturechange', gestureMoved, { signal, passive: false });
    element.addEventListener('dblclick', twice, { signal });
    return () => listening.abort();
  }, [stage, zoomTo]);

  return {
    zoom,
    larger: () => zoomTo(latest.current.zoom * STEP),
    smaller: () => zoomTo(latest.current.zoom / STEP),
    whole: useCallback(() => zoomTo(1), [zoomTo]),
  };
}
