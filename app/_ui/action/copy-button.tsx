'use client';
import { Check, Copy } from 'lucide';
import { useEffect, useState } from 'react';
import { failureOf } from '../api-error.ts';
import { toast } from '../toast.ts';
import { Button, type ButtonSize, type ButtonVariant } from './button.tsx';
import { IconButton } from './icon-button.tsx';

type CopyButtonProps = {
  /** The text to copy, or a function that reads it at the click. */
  text: string | (() => string | Promise<string>);
  /** What is copied, as a label: « Copier la clé ». */
  label?: string;
  /** Shows the icon only, with the label as tooltip. */
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
 * Asks for the clipboard within the click: a text to be fetched is passed as a promise, because a browser may refuse a clipboard that is asked for
 * later. Returns `unread` if the text could not be read, and `failed` if the clipboard refused.
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
    // A browser that accepts no promise may still accept the text. Without https there is no clipboard.
    return reading
      .then((words) => navigator.clipboard.writeText(words))
      .then(
        () => 'done',
        () => 'failed',
      );
  }
}

/** Copies a text, and shows the outcome for two seconds, also to assistive technology. */
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
