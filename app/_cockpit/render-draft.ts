'use client';

/** The texts of a template filled in on its page, for the composer in the same tab. */
type RenderDraft = {
  template: string;
  size: string;
  productId: string;
  fields: Record<string, string | Record<string, string>[]>;
};

/**
 * The storage key of a template's texts. It names the member, so that neither another person nor another account in this tab reads them, and the
 * template, so that filling in another one loses nothing.
 */
export const renderDraftName = (memberId: string, template: string): string =>
  `atelier:rendu.${memberId}.${template}`;

/** Leaves the texts for the composer; the address has the rest. Images are not included: they are uploaded in the composer. */
export function leaveRenderDraft(memberId: string, draft: RenderDraft): void {
  try {
    sessionStorage.setItem(renderDraftName(memberId, draft.template), JSON.stringify(draft));
  } catch {
    // Without storage, the composer opens the empty template.
  }
}

/** The texts that the member left for this template, or null. They are not deleted, so that a reload finds them again. */
export function readRenderDraft(memberId: string, template: string): RenderDraft | null {
  try {
    return JSON.parse(sessionStorage.getItem(renderDraftName(memberId, template)) ?? 'null');
  } catch {
    return null;
  }
}
