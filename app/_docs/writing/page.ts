import type { DocSlug } from './slugs.ts';

/** Headings under which pages are listed, in the order in which they are read. */
export const DOC_GROUPS = ['Commencer', 'Référence', 'Règles'] as const;

/** A part of a page under its own heading: `text` is Markdown, shown as it is to programs and drawn for people. */
export type DocSection = { id: string; title: string; level: 2 | 3; text: string };

export type DocPage = {
  slug: DocSlug;
  title: string;
  /** One sentence: what one finds here, for lists and search engines. */
  summary: string;
  group: (typeof DOC_GROUPS)[number] | null;
  /** What comes before the first heading. */
  introduction(origin: string): string;
  sections(origin: string): DocSection[];
};

/** Items of a Markdown list. */
export const list = (...items: string[]) => items.map((item) => `- ${item}`).join('\n');

/** Paragraphs, lists and tables, one after the other. */
export const text = (...blocks: string[]) => blocks.join('\n\n');

/** Steps of a numbered list. */
export const steps = (...items: string[]) => items.map((item, index) => `${index + 1}. ${item}`).join('\n');

const INFO = { curl: 'bash curl', TypeScript: 'ts TypeScript', MCP: 'json MCP' } as const;

/** The same call in several languages: fences that follow each other are one block with a choice. */
export function samples(codes: Partial<Record<keyof typeof INFO, string | undefined>>): string {
  return (Object.keys(INFO) as (keyof typeof INFO)[])
    .flatMap((label) => (codes[label] ? [fence(INFO[label], codes[label])] : []))
    .join('\n\n');
}

/** One piece of code; `info` is its language, then its label. */
export const fence = (info: string, code: string) => `\`\`\`${info}\n${code}\n\`\`\``;

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/\|/g, '\\|').replace(/\s*\n\s*/g, ' ')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
