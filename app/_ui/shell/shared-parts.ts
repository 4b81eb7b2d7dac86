'use client';
import Link from 'next/link';
import { Button, LinkButton } from '../action/button.tsx';
import { CopyButton } from '../action/copy-button.tsx';
import { IconButton } from '../action/icon-button.tsx';
import { Notice } from '../state/notice.tsx';
import { ErrorState } from '../state/states.tsx';

/**
 * What the pages of errors and of unknown addresses, the cockpit around a page and most pages draw. Bound to the root layout, it is sent
 * once; the bundler would repeat it for each of them, some 17 KiB a page.
 */
export const SHARED_PARTS = [Link, Button, LinkButton, CopyButton, IconButton, Notice, ErrorState];

/** Draws nothing: its module is what counts. */
export function SharedParts() {
  return null;
}
