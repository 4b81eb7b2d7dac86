'use client';
import { LoaderCircle, Play, Square } from 'lucide';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { ofName } from '#app/_ui/format.ts';
import { toast } from '#app/_ui/toast.ts';

let stopOther: (() => void) | null = null;

/** Plays the sample of a voice. Playing one stops the other on the page. */
export function ListenButton({
  voiceId,
  name,
  disabled,
}: {
  voiceId: string;
  name: string;
  disabled: boolean;
}) {
  const audio = useRef<HTMLAudioElement | null>(null);
  const [state, setState] = useState<'idle' | 'loading' | 'playing'>('idle');
  useEffect(() => () => audio.current?.pause(), []);

  const stop = () => {
    audio.current?.pause();
    audio.current = null;
    setState('idle');
  };
  const play = async () => {
    stopOther?.();
    stopOther = stop;
    setState('loading');
    const player = new Audio(`/api/voice-desk/preview/${encodeURIComponent(voiceId)}`);
    audio.current = player;
    player.onended = stop;
    const fail = () => {
      if (audio.current !== player) return;
      stop();
      toast({
        title: `L’extrait ${ofName(name)} n’a pas pu être lu`,
        description: 'Rien n’a été débité. Réessayez dans un moment.',
        tone: 'fail',
      });
    };
    // An error can also occur after playback has begun; the button would keep showing that it plays.
    player.onerror = fail;
    try {
      await player.play();
      if (audio.current === player) setState('playing');
    } catch {
      fail();
    }
  };
  const icon = { idle: Play, loading: LoaderCircle, playing: Square }[state];
  return (
    <IconButton
      icon={icon}
      label={
        disabled ? `${name}\u00a0: aucun extrait` : state === 'idle' ? `Écouter ${name}` : `Arrêter ${name}`
      }
      disabled={disabled}
      onClick={state === 'idle' ? play : stop}
      className={cx('border border-line', state === 'loading' && '[&_svg]:animate-turn')}
    />
  );
}
