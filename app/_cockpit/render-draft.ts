'use client';

/** A template filled in on its page, on its way to the composer of the same browser tab. */
type RenderDraft = {
  template: string;
  size: string;
  productId: string;
  fields: Record<string, string | Record<string, string>[]>;
};

/** A member is of one account: neither the next person of this tab nor another account of the same one reads these texts. */
const NAME = 'atelier:rendu.';

/** Leaves the texts for the composer; the address carries the rest. Images are not carried: they are sent there. */
export function leaveRenderDraft(memberId: string, draft: RenderDraft): void {
  try {
    sessionStorage.setItem(NAME + memberId, JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing: the composer opens on the empty template.
  }
}

/** The texts that this member left for this template, or null. They stay, so that a reload finds them again. */
export function readRenderDraft(memberId: string, template: string): RenderDraft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(NAME + memberId) ?? 'null') as RenderDraft | null;
    return draft?.template === template ? draft : null;
  } catch {
    return null;
  }
}
