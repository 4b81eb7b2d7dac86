import type { DocPage, DocSection } from '../writing/page.ts';
import { htmlOf } from './html.ts';
import { keeper } from './keep.ts';

export type DrawnSection = Omit<DocSection, 'text'> & { html: string };
export type DrawnPage = { introduction: string; sections: DrawnSection[] };

const keep = keeper<DrawnPage>();

/** A page as HTML, drawn once for each origin that it is read under. */
export function drawPage(page: DocPage, origin: string): DrawnPage {
  return keep(`${page.slug} ${origin}`, () => ({
    introduction: htmlOf(page.introduction(origin), 'introduction'),
    sections: page
      .sections(origin)
      .map(({ text, ...section }) => ({ ...section, html: htmlOf(text, section.id) })),
  }));
}
