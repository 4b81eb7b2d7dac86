'use client';
import { ImagePlus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { takeBroughtFile } from '#app/_cockpit/brought-file.ts';
import { DropAnywhere, isAbove } from '#app/_ui/overlay/drop-anywhere.tsx';
import { toast } from '#app/_ui/toast.ts';
import type { Bring } from './use-bring.ts';

const NONE = 'Ce type de génération ne prend pas de référence';

/** Files dropped or pasted anywhere on the composer's page are references, and so is one that another page handed over; text is pasted where it is pasted. */
export default function BringAnywhere({ bring }: { bring: Bring | null }) {
  const take = (files: Iterable<File>) => {
    if (!bring) return toast({ title: NONE, description: 'Choisissez Image ou Vidéo d’abord.' });
    for (const file of files) void bring.bring(file);
  };
  const latest = useRef(take);
  latest.current = take;
  // What another page handed over is brought once the composer stands.
  useEffect(() => {
    const file = takeBroughtFile();
    if (file) latest.current([file]);
  }, []);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const { clipboardData } = event;
      // A table copied from a word processor is text and picture: into a field, it is text.
      if (!clipboardData || clipboardData.files.length === 0 || isAbove(event.target)) return;
      if (clipboardData.types.includes('text/plain')) return;
      event.preventDefault();
      latest.current(clipboardData.files);
    };
    window.addEventListener('paste', onPaste);
    return () => window.removeEventListener('paste', onPaste);
  }, []);
  return (
    <DropAnywhere
      types={['Files', 'text/uri-list']}
      icon={ImagePlus}
      onDrop={(dropped) => {
        const address = dropped.getData('text/uri-list');
        if (dropped.files.length > 0) take(dropped.files);
        else if (address) bring?.addLink(address.split('\n', 1)[0]?.trim() ?? '');
      }}
    >
      {bring ? 'Déposez pour ajouter aux références' : NONE}
    </DropAnywhere>
  );
}
