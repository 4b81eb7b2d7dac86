'use client';
import { Check, Copy } from 'lucide';
import { useEffect, useState } from 'react';
import { failureOf } from '../api-error.ts';
import { toast } from '../toast.ts';
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

type Copied = 'done' | 'unread' | 'failed';

const WORDS: Partial<Record<string, string>> = {
  done: 'Copié',
  unread: 'Texte non lu',
  failed: 'Copie refusée par le navigateur',
};

/**
 * Copies at the very moment of the click: a text that must be fetched first is given as a promise, because a browser may refuse a
 * clipboard asked for after an answer. A text that could not be read is told apart from a clipboard that refused.
 */
async function copyFrom(text: CopyButtonProps['text']): Promise<Copied> {
  const reading = Promise.resolve(typeof text === 'string' ? text : text());
  const read = reading.then(
    () => true,
    (error: unknown) => {
      const failure = failureOf(error, 'Réessayez.');
      toast({
        title: 'Le texte à copier n’a pas pu être lu',
        description: failure.message,
        tone: 'fail',
        requestId: failure.requestId,
      });
      return false;
    },
  );
  try {
    if (typeof text === 'string' || typeof ClipboardItem === 'undefined')
      throw new Error('no promise needed');
    const blob = reading.then((words) => new Blob([words], { type: 'text/plain' }));
    blob.catch(() => {});
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return 'done';
  } catch {
    if (!(await read)) return 'unread';
    // A browser that takes no promise may still take the text; outside of https it has no clipboard at all.
    return reading
      .then((words) => navigator.clipboard.writeText(words))
      .then(
        () => 'done',
        () => 'failed',
      );
  }
}

/** Copies a text and says so for two seconds, by sight and to assistive technology. */
export function CopyButton({
  text,
  label = 'Copier',
  compact,
  variant = 'secondary',
  size,
  className,
}: CopyButtonProps) {
  const [state, setState] = useState<'idle' | Copied>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    setState(await copyFrom(text));
  };
  const words = WORDS[state] ?? label;
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
