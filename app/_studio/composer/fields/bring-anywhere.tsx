'use client';
import { ImagePlus } from 'lucide';
import { useEffect, useRef } from 'react';
import { takeBroughtFile } from '#app/_cockpit/brought-file.ts';
import { DropAnywhere, isAbove } from '#app/_ui/overlay/drop-anywhere.tsx';
import { toast } from '#app/_ui/toast.ts';
import { isTyping } from '#app/_ui/typing.ts';
import type { Bring } from './use-bring.ts';

const NONE = 'Ce type de génération ne prend pas de référence';

const ADDRESS = /^https:\/\/\S+$/i;

/**
 * Turns files and addresses dropped or pasted anywhere on the page into references, and a file that another page handed over. A text pasted into a
 * field stays a text.
 */
export default function BringAnywhere({ bring }: { bring: Bring | null }) {
  const take = (files: Iterable<File>) => {
    if (!bring) return toast({ title: NONE, description: 'Choisissez Image ou Vidéo d’abord.' });
    for (const file of files) void bring.bring(file);
  };
  const latest = useRef({ take, bring });
  latest.current = { take, bring };
  // A file that another page handed over is added once the composer is there.
  useEffect(() => {
    const file = takeBroughtFile();
    if (file) latest.current.take([file]);
  }, []);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const { clipboardData, target } = event;
      if (!clipboardData || isAbove(target)) return;
      // A table copied from a word processor is both a text and a picture: it counts as a text.
      if (clipboardData.types.includes('text/plain')) {
        const address = clipboardData.getData('text/plain').trim();
        if (!isTyping(target) && ADDRESS.test(address)) latest.current.bring?.addLink(address);
        return;
      }
      if (clipboardData.files.length === 0) return;
      event.preventDefault();
      latest.current.take(clipboardData.files);
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
