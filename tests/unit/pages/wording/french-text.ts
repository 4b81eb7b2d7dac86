import { parseAst } from 'vite';

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** An ordinary space where French wants a no-break space: before « : ; ! ? » and inside guillemets. */
const PLAIN = /[ \t\n]+(?=[:;!?»](?![\w:=]))|(?<=«)[ \t\n]+/gu;

/** Matches every source with such a place; a source without one is not parsed. */
const MAYBE = /[ \t\n][:;!?»](?![\w:=])|«[ \t\n]/u;

/** Statements of the local stores, where « ? » is a parameter. */
const SQL = /\b(?:select|insert|update|delete|replace|where|order by)\b.*\?/s;

type PlainSpace = { kind: 'string' | 'template' | 'jsx'; start: number; end: number };

/** The ordinary spaces that may break, in the words of a source (strings, templates, JSX text; not comments nor code). */
export function plainSpaces(source: string, file: string): PlainSpace[] {
  if (!MAYBE.test(source)) return [];
  const found: PlainSpace[] = [];
  const look = (kind: PlainSpace['kind'], node: Node) => {
    const text = source.slice(node.start, node.end);
    if (SQL.test(text)) return;
    for (const match of text.matchAll(PLAIN))
      found.push({ kind, start: node.start + match.index, end: node.start + match.index + match[0].length });
  };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) walk(one);
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const node = value as Node;
    if (node.type === 'JSXText') look('jsx', node);
    else if (node.type === 'TemplateElement') look('template', node);
    else if (node.type === 'JSXAttribute') {
      const inner = node.value as Node | null;
      if (inner?.type === 'Literal') look('jsx', inner);
      else walk(inner);
      return;
    } else if (node.type === 'Literal' && typeof node.value === 'string') look('string', node);
    for (const [name, child] of Object.entries(node)) if (name !== 'type') walk(child);
  };
  walk(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}

/** The parts of a Markdown text that are no prose: code, addresses, the marks of pictures and of table columns. */
const NOT_PROSE = /^```[\s\S]*?^```|`[^`\n]*`|\]\([^)\n]*\)|!\[|:?-{3,}:?/gm;

/** The ordinary spaces that may break, in the prose of a Markdown text. */
export function plainSpacesOfProse(markdown: string): { start: number; end: number }[] {
  const prose = markdown.replace(NOT_PROSE, (code) => '-'.repeat(code.length));
  return [...prose.matchAll(PLAIN)].map(({ 0: space, index }) => ({
    start: index,
    end: index + space.length,
  }));
}
