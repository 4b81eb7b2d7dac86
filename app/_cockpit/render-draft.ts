'use client';

/** A template filled in on its page, on its way to the composer of the same browser tab. */
type RenderDraft = {
  template: string;
  size: string;
  productId: string;
  fields: Record<string, string | Record<string, string>[]>;
};

const KEY = 'atelier:rendu';

/** Leaves the texts for the composer; the address carries the rest. Images are not carried: they are sent there. */
export function leaveRenderDraft(draft: RenderDraft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing: the composer opens on the empty template.
  }
}

/** The texts left for this template, or null. They stay, so that a reload finds them again. */
export function readRenderDraft(template: string): RenderDraft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as RenderDraft | null;
    return draft?.template === template ? draft : null;
  } catch {
    return null;
  }
}
