'use client';

/** A template filled in on its page, on its way to the composer of the same browser tab. */
type RenderDraft = {
  template: string;
  size: string;
  productId: string;
  fields: Record<string, string | Record<string, string>[]>;
};

/**
 * Where the tab keeps a template that a member fills in. A member is of one account: neither the next person of this tab nor another account
 * of the same one reads these texts. Each template has its own: filling in another loses nothing of the first.
 */
export const renderDraftName = (memberId: string, template: string): string =>
  `atelier:rendu.${memberId}.${template}`;

/** Leaves the texts for the composer; the address carries the rest. Images are not carried: they are sent there. */
export function leaveRenderDraft(memberId: string, draft: RenderDraft): void {
  try {
    sessionStorage.setItem(renderDraftName(memberId, draft.template), JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing: the composer opens on the empty template.
  }
}

/** The texts that this member left for this template, or null. They stay, so that a reload finds them again. */
export function readRenderDraft(memberId: string, template: string): RenderDraft | null {
  try {
    return JSON.parse(sessionStorage.getItem(renderDraftName(memberId, template)) ?? 'null');
  } catch {
    return null;
  }
}
