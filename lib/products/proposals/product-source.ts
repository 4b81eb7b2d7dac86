import type { ProductFile } from '../types.ts';

/** The linter's line (biome.json): what is longer is broken. */
const LINE_WIDTH = 110;

type Literal = string | readonly Literal[] | { readonly [key: string]: Literal };

/**
 * A text as a literal of the code: nothing of it ends the literal, and what cannot be seen (spaces but the plain one, marks of direction,
 * halves of pairs) is written out.
 */
function quoted(text: string): string {
  const count = (mark: string) => text.split(mark).length;
  const quote = count("'") > count('"') ? '"' : "'";
  const written = text.replace(/[\p{C}\p{Z}\\'"]/gu, (mark) => {
    if (mark === ' ') return mark;
    if (mark === '\n') return '\\n';
    if (mark === '\\' || mark === quote) return `\\${mark}`;
    if (mark === "'" || mark === '"') return mark;
    return Array.from({ length: mark.length }, (_, i) => unit(mark.charCodeAt(i))).join('');
  });
  return `${quote}${written}${quote}`;
}

const unit = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;

function onOneLine(value: Literal): string {
  if (typeof value === 'string') return quoted(value);
  if (isList(value)) return `[${value.map(onOneLine).join(', ')}]`;
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key}: ${onOneLine(one)}`)
    .join(', ')} }`;
}

/** A value after what is before it on its line, broken as the linter breaks it. */
function printed(value: Literal, indent: string, before: number): string {
  if (typeof value === 'string') return quoted(value);
  const whole = onOneLine(value);
  const records = isList(value) && value.length > 1 && value.every((one) => typeof one === 'object');
  if (!records && before + whole.length + 1 <= LINE_WIDTH) return whole;
  return isList(value)
    ? `[\n${value.map((one) => `${indent}  ${printed(one, `${indent}  `, indent.length + 2)},\n`).join('')}${indent}]`
    : block(value, indent);
}

function block(value: { readonly [key: string]: Literal }, indent: string): string {
  const lines = Object.entries(value).map(([key, one]) => {
    const start = `${indent}  ${key}: `;
    const text =
      key === 'brand' && typeof one === 'object' && !isList(one)
        ? block(one, `${indent}  `)
        : printed(one, `${indent}  `, start.length);
    return `${start}${text},\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

const isList = (value: Literal): value is readonly Literal[] => Array.isArray(value);

/** The whole file of a product, as it stands in the registry (`accounts/<account>/<product>.ts`). */
export function productSource({ name, spaceName, references, brand }: ProductFile): string {
  const { tone, promises, pronunciations, colours } = brand ?? {};
  const said = present({
    tone,
    promises: promises?.length ? promises : undefined,
    pronunciations: pronunciations?.map(({ written, spoken }) => ({ written, spoken })),
    colours: colours && present({ colour: colours.colour, ink: colours.ink, paper: colours.paper }),
  });
  const file = present({
    name,
    spaceName,
    references: { shopDomains: references.shopDomains },
    brand: Object.keys(said).length > 0 ? said : undefined,
  });
  return `import type { ProductFile } from '../../shape/product-file.ts';\n\nexport const product: ProductFile = ${block(file, '')};\n`;
}

function present(of: Record<string, Literal | undefined>): Record<string, Literal> {
  const kept: Record<string, Literal> = {};
  for (const [key, value] of Object.entries(of)) if (value !== undefined) kept[key] = value;
  return kept;
}

const inOrder = new Intl.Collator('en', { numeric: true });

/** The whole `catalogue.ts` for the products at these places (`<account>/<product>`), in their order. */
export function catalogueSource(places: readonly string[]): string {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const place of places) {
    const base = variable(place.split('/')[1] ?? '');
    let name = base;
    for (let again = 2; taken.has(name); again++) name = `${base}${again}`;
    taken.add(name);
    names.set(place, name);
  }
  const imports = [...names]
    .sort(([a], [b]) => inOrder.compare(a, b))
    .map(([place, name]) => `import { product as ${name} } from './accounts/${place}.ts';\n`);
  const lines = [...names].map(([place, name]) => `  '${place}': ${name},\n`);
  return `${imports.join('')}import type { ProductFile } from './types.ts';

/** Every product of every account, under the path of its file: \`<account>/<product>\`. \`npm run product -- check\` compares it with the files. */
export const CATALOGUE: Readonly<Record<string, ProductFile>> = {
${lines.join('')}};
`;
}

/** A one-word name could be a reserved word (`new`, `class`): it gets a second word. */
function variable(id: string): string {
  const name = id.replace(/-+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
  return name === id ? `${name}Product` : name;
}
