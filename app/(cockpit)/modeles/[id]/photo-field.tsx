// biome-ignore-all lint/performance/noImgElement: pictures of ours that only a signed-in member may read
'use client';
import { ImagePlus, X } from 'lucide';
import { useRef, useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { Named } from '#app/_ui/text/named.tsx';
import { toast } from '#app/_ui/toast.ts';
import type { FieldDefinition } from '#lib/studio/templates/drawing/types.ts';

/** In pixels: the longest side of the image in the preview. */
const WIDEST = 1200;

type PhotoFieldProps = {
  field: FieldDefinition;
  photo: string | undefined;
  onPhoto: (data: string | null) => void;
};

/** An image for the preview only: it is drawn in the preview and never stored. The image of the render is uploaded in the composer. */
export function PhotoField({ field, photo, onPhoto }: PhotoFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const [reading, setReading] = useState(false);
  // Names the field in the buttons: a template may have several images.
  const about = `(${field.label})`;
  const choose = async (file: File | undefined) => {
    if (!file) return;
    setReading(true);
    try {
      onPhoto(await smallJpeg(file));
    } catch {
      toast({
        title: 'Cette image n’a pas pu être lue',
        description: 'Essayez en PNG, JPEG ou WebP.',
        tone: 'fail',
      });
    } finally {
      setReading(false);
      if (input.current) input.current.value = '';
    }
  };
  return (
    <div>
      <p className="font-medium text-sm">
        {field.label}
        {field.required ? null : <span className="font-normal text-ink-faint"> · facultatif</span>}
      </p>
      <div className="mt-1.5 flex flex-wrap items-center gap-3">
        {photo ? (
          <img src={photo} alt="" className="size-14 rounded-xs border border-line object-cover" />
        ) : null}
        <Button
          ref={chooser}
          size="sm"
          icon={ImagePlus}
          pending={reading}
          onClick={() => input.current?.click()}
        >
          <Named about={about}>{photo ? 'Changer l’image d’essai' : 'Essayer une image'}</Named>
        </Button>
        {photo ? (
          <Button
            size="sm"
            variant="quiet"
            icon={X}
            onClick={() => {
              onPhoto(null);
              // This button disappears with the image.
              chooser.current?.focus();
            }}
          >
            <Named about={about}>Retirer</Named>
          </Button>
        ) : null}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label={`${field.label}, image d’essai`}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => choose(event.currentTarget.files?.[0])}
      />
      <p className="mt-1.5 text-ink-faint text-xs">
        {field.hint ? `${field.hint} ` : ''}Pour l’aperçu seulement&nbsp;: vous enverrez l’image dans la
        composition.
      </p>
    </div>
  );
}

/** The image as a JPEG `data:` address, upright, reduced to `WIDEST`. Rejects if the browser cannot decode it. */
async function smallJpeg(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, WIDEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.toDataURL('image/jpeg', 0.85);
}
