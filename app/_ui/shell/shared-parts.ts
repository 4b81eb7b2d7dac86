'use client';
import Link from 'next/link';
import { Button, LinkButton } from '../action/button.tsx';
import { CopyButton } from '../action/copy-button.tsx';
import { IconButton } from '../action/icon-button.tsx';
import { Notice } from '../state/notice.tsx';
import { ErrorState } from '../state/states.tsx';

/**
 * The components that error pages, the not-found page, the cockpit's layout and most pages draw. The root layout imports them, so that they are
 * sent once: without it, each of these would carry its own copy (`docs/decisions/0037-page-weight.md`).
 */
export const SHARED_PARTS = [Link, Button, LinkButton, CopyButton, IconButton, Notice, ErrorState];

/** Draws nothing. The root layout renders it so that this module, and the components it imports, belong to that layout. */
export function SharedParts() {
  return null;
}
