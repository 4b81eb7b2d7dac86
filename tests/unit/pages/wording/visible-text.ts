import { parseAst } from 'vite';

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/**
 * The texts of a source that a reader sees: strings, templates and JSX texts that are words or sentences, without comments, code, imports and keys.
 */
export function visibleTexts(source: string, file: string): { text: string; at: number }[] {
  const found: { text: string; at: number }[] = [];
  const take = (node: Node, text: string) => {
    // A single word without a space or a capital is an identifier, a class or an address.
    if (/\s|\u00a0/.test(text.trim()) || /^\p{Lu}/u.test(text.trim())) found.push({ text, at: node.start });
  };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) walk(one);
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const node = value as Node;
    if (node.type === 'ImportDeclaration') return;
    if (node.type === 'JSXText') take(node, source.slice(node.start, node.end));
    else if (node.type === 'TemplateElement') take(node, (node.value as { cooked: string }).cooked ?? '');
    else if (node.type === 'Literal' && typeof node.value === 'string') take(node, node.value);
    for (const [name, child] of Object.entries(node)) if (name !== 'type') walk(child);
  };
  walk(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}
