'use client';
import { Brush, Eraser } from 'lucide';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { Slider } from '#app/_ui/form/slider.tsx';
import { newKey } from '#app/_ui/new-key.ts';
import type { Draft } from '../draft/draft.ts';
import type { Change } from '../draft/use-draft.ts';
import { attachFile } from './attach.ts';
import { AttachRefusal } from './attach-refusal.ts';
import { maskFile, type Point, paint, paintedShare, wholePicture } from './brush.ts';

/** The painted share that the server accepts, 0 to 1. */
const LEAST = 0.001;
const MOST = 0.95;
const percent = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

/**
 * A brush over the image to edit, by pointer or keyboard (arrows move, Space paints). « Utiliser ce masque » makes the painted area the mask of the
 * request; a mask made elsewhere is added as a file with the role « Masque ».
 */
export default function MaskEditor({ draft, change }: { draft: Draft; change: Change }) {
  const source = draft.references.find((one) => one.role === 'source' && one.ref && !one.refusal);
  if (!source?.thumbnail)
    return (
      <p className="text-ink-soft text-sm">
        {source
          ? 'Cette image ne peut pas être montrée ici\u00a0: ajoutez son masque comme un fichier, dans le rôle «\u00a0Masque\u00a0».'
          : 'Ajoutez l’image à retoucher\u00a0: vous peindrez ici ce qui doit changer, ou ajouterez un masque déjà fait.'}
      </p>
    );
  const image = wholePicture(source.thumbnail);
  return <Painting key={source.key} image={image} draft={draft} change={change} />;
}

function Painting({ image, draft, change }: { image: string; draft: Draft; change: Change }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const last = useRef<Point | null>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [cursor, setCursor] = useState<Point | null>(null);
  const [brush, setBrush] = useState(8);
  const [share, setShare] = useState(0);
  /** The number of strokes, now and when the mask was made: later strokes are not in the mask that is sent. */
  const [strokes, setStrokes] = useState(0);
  const [strokesSent, setStrokesSent] = useState(0);
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const hasMask = draft.references.some((one) => one.role === 'mask' && !one.refusal);
  const radius = size ? (Math.min(size.width, size.height) * brush) / 200 : 0;
  const know = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) => {
    if (width > 0) setSize((before) => before ?? { width, height });
  };
  const context = () => canvas.current?.getContext('2d', { willReadFrequently: true }) ?? null;

  const stroke = (from: Point, to: Point) => {
    const mask = context();
    if (mask) paint(mask, from, to, radius);
  };
  const measure = () => {
    setShare(canvas.current ? paintedShare(canvas.current) : 0);
    setStrokes((before) => before + 1);
  };
  const placeOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLCanvasElement>): Point => {
    const box = currentTarget.getBoundingClientRect();
    return {
      x: ((clientX - box.left) / box.width) * currentTarget.width,
      y: ((clientY - box.top) / box.height) * currentTarget.height,
    };
  };
  const down = (event: PointerEvent<HTMLCanvasElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = placeOf(event);
    stroke(last.current, last.current);
  };
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!last.current) return;
    const to = placeOf(event);
    stroke(last.current, to);
    last.current = to;
  };
  const up = () => {
    last.current = null;
    measure();
  };
  const keys = (event: KeyboardEvent<HTMLCanvasElement>) => {
    if (!size) return;
    const from = cursor ?? { x: size.width / 2, y: size.height / 2 };
    const step = Math.max(4, radius);
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
      event.key
    ] ?? [0, 0];
    const paints = event.key === ' ' || event.shiftKey;
    if (x === 0 && y === 0 && event.key !== ' ') return;
    event.preventDefault();
    const to = {
      x: Math.min(size.width, Math.max(0, from.x + (x ?? 0) * step)),
      y: Math.min(size.height, Math.max(0, from.y + (y ?? 0) * step)),
    };
    setCursor(to);
    if (!paints) return;
    stroke(from, to);
    measure();
  };
  const clear = () => {
    const mask = context();
    mask?.clearRect(0, 0, mask.canvas.width, mask.canvas.height);
    measure();
  };
  const use = async () => {
    if (!canvas.current) return;
    setSending(true);
    setRefusal(null);
    try {
      const file = await maskFile(canvas.current);
      const attached = await attachFile(file, { productId: draft.productId, takesClips: false }, () => {});
      const reference = {
        ref: attached.id,
        name: 'Masque peint',
        contentType: attached.contentType,
        thumbnail: attached.url,
      };
      change((before) => ({
        references: [
          ...before.references.filter((one) => one.role !== 'mask'),
          { ...reference, key: newKey(), role: 'mask' as const },
        ],
      }));
      setStrokesSent(strokes);
    } catch (error) {
      setRefusal(error instanceof AttachRefusal ? error.message : 'Le masque n’a pas pu être envoyé.');
    } finally {
      setSending(false);
    }
  };
  const fits = share >= LEAST && share <= MOST;

  return (
    <section aria-label="Masque" className="flex flex-col gap-3 rounded-md border border-line p-3">
      <h2 className="font-medium text-sm">Peignez ce qui doit changer</h2>
      <div className="relative overflow-hidden rounded-md bg-sunken">
        {/* biome-ignore lint/performance/noImgElement: private files behind the session, which the optimizer cannot read */}
        <img
          src={image}
          alt="À retoucher"
          className="block w-full"
          // An image that was loaded before hydration sends no load event.
          ref={(shown) => {
            if (shown?.complete) know(shown);
          }}
          onLoad={({ currentTarget }) => know(currentTarget)}
        />
        {size ? (
          // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a surface that is drawn on, by pointer and by keyboard
          <canvas
            ref={canvas}
            width={size.width}
            height={size.height}
            tabIndex={0}
            role="application"
            aria-label="Masque&nbsp;: les flèches déplacent le pinceau, Espace peint, Majuscule et une flèche peignent un trait"
            onPointerDown={down}
            onPointerMove={move}
            onPointerUp={up}
            onPointerCancel={up}
            onKeyDown={keys}
            className="absolute inset-0 size-full cursor-crosshair touch-none opacity-60 focus-visible:outline-2 focus-visible:outline-accent-ink"
          />
        ) : null}
        {size && cursor ? (
          <span
            aria-hidden
            className="pointer-events-none absolute rounded-full border-2 border-accent-ink"
            style={{
              left: `${((cursor.x - radius) / size.width) * 100}%`,
              top: `${((cursor.y - radius) / size.height) * 100}%`,
              width: `${((2 * radius) / size.width) * 100}%`,
              height: `${((2 * radius) / size.height) * 100}%`,
            }}
          />
        ) : null}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <span className="text-sm">Pinceau</span>
        <Slider
          aria-label="Taille du pinceau"
          min={2}
          max={40}
          value={brush}
          format={(value) => `${value}\u00a0%`}
          onChange={setBrush}
          className="w-32"
        />
        <p role="status" className="tabular mr-auto text-ink-soft text-sm">
          {percent.format(share * 100)}&nbsp;% de l’image
          {hasMask && strokes !== strokesSent ? ', pas encore dans le masque' : ''}
        </p>
        <Button size="sm" icon={Eraser} onClick={clear} aria-disabled={share === 0 || undefined}>
          Effacer
        </Button>
        <Button size="sm" icon={Brush} pending={sending} onClick={() => void use()} disabled={!fits}>
          {hasMask ? 'Remplacer le masque' : 'Utiliser ce masque'}
        </Button>
      </div>
      {refusal ? (
        <p role="alert" className="text-fail text-sm">
          {refusal}
        </p>
      ) : null}
    </section>
  );
}
