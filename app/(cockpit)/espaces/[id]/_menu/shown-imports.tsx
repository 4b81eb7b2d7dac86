'use client';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import type { ImportView } from '#lib/brain/imports/jobs.ts';

const ImportList = lazyPart(() => import('./import-list.tsx'));

/** The imports of a Space. A Space without any loads none of their scripts. */
export function ShownImports({ imports }: { imports: ImportView[] }) {
  if (imports.length === 0) return null;
  return <ImportList imports={imports} />;
}
