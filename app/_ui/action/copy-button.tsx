'use client';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonSize, type ButtonVariant } from './button.tsx';
import { IconButton } from './icon-button.tsx';

type CopyButtonProps = {
  /** The text that is copied, or where to take it from at the moment of the click. */
  text: string | (() => string | Promise<string>);
  /** What is copied, in words: « Copier la clé ». */
  label?: string;
  /** Icon alone, with the label as tooltip. */
  compact?: boolean;
  variant?: ButtonVariant;
  size?: ButtonSize;
  className?: string;
};

/** Copies a text and says so for two seconds, by sight and to assistive technology. */
export function CopyButton({
  text,
  label = 'Copier',
  compact,
  variant = 'secondary',
  size,
  className,
}: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setState('done');
    } catch {
      setState('failed');
    }
  };
  const words = state === 'done' ? 'Copié' : state === 'failed' ? 'Copie refusée par le navigateur' : label;
  const icon = state === 'done' ? Check : Copy;
  return (
    <>
      {compact ? (
        <IconButton icon={icon} label={words} onClick={copy} className={className} />
      ) : (
        <Button icon={icon} variant={variant} size={size ?? 'md'} onClick={copy} className={className}>
          {words}
        </Button>
      )}
      <span role="status" className="sr-only">
        {state === 'idle' ? '' : words}
      </span>
    </>
  );
}
