import { ofName } from '#app/_ui/format.ts';
import { table } from '../writing/page.ts';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  const?: string;
  description?: string;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  maxLength?: number;
};
export type Schemas = Readonly<Record<string, Schema>>;
type Field = { name: string; required: boolean; schema: Schema; note?: string };

const TYPES: Record<string, string> = {
  string: 'texte',
  integer: 'entier',
  number: 'nombre',
  boolean: 'booléen',
  object: 'objet',
  array: 'liste',
  null: 'null',
};
const MAX_DEPTH = 4;

/**
 * The fields of a schema as Markdown tables under a title in bold: objects within objects follow by their dotted names; a choice of
 * objects is one table each. Empty when there is nothing to name.
 */
export function fieldsOf(title: string, schema: Schema, schemas: Schemas): string[] {
  const known = resolve(schema, schemas);
  const variants = (known.oneOf ?? known.anyOf)?.map((one) => resolve(one, schemas));
  if (variants?.every((one) => one.properties))
    return variants.flatMap((one) => {
      const rows = flatten(one, schemas, '', 0);
      const [name, { const: value } = {}] =
        Object.entries(one.properties ?? {}).find(([, field]) => field.const) ?? [];
      return tableOf(value ? `${title}, \`${name}\` = \`${value}\`` : title, rows, schemas, true);
    });
  return tableOf(title, flatten(known, schemas, '', 0), schemas, true);
}

/** A table of given fields under a title in bold. */
export function tableOf(title: string, fields: readonly Field[], schemas: Schemas, isBody = false): string[] {
  if (fields.length === 0) return [];
  const rows = fields.map((field) => [
    `\`${field.name}\`${field.required && !isBody ? ' (obligatoire)' : ''}`,
    typeOf(field.schema, schemas),
    meaning(field),
  ]);
  return [`**${title}**`, table(['Champ', 'Type', 'Sens'], rows)];
}

function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').pop();
  return name
    ? { ...schemas[name], ...(schema.description ? { description: schema.description } : {}) }
    : schema;
}

function flatten(schema: Schema, schemas: Schemas, prefix: string, depth: number): Field[] {
  const object = resolve(schema, schemas);
  const inner = object.items ? resolve(object.items, schemas) : object;
  const path = object.items ? `${prefix}[]` : prefix;
  if (!inner.properties || depth > MAX_DEPTH) return [];
  return Object.entries(inner.properties).flatMap(([key, child]) => {
    const name = path ? `${path}.${key}` : key;
    const required = inner.required?.includes(key) ?? false;
    return [{ name, required, schema: child }, ...flatten(child, schemas, name, depth + 1)];
  });
}

/** `many`: as what a list is made of, « liste d’objets ». */
function typeOf(schema: Schema, schemas: Schemas, many = false): string {
  const known = resolve(schema, schemas);
  const choice = known.anyOf ?? known.oneOf;
  if (choice) return [...new Set(choice.map((one) => typeOf(one, schemas, many)))].join(' ou ');
  if (known.items) return `liste${many ? 's' : ''} ${ofName(typeOf(known.items, schemas, true))}`;
  if (known.const !== undefined) return `\`${known.const}\``;
  const types = [known.type ?? 'object'].flat();
  return types.map((type) => `${TYPES[type] ?? type}${many && type !== 'null' ? 's' : ''}`).join(' ou ');
}

function meaning({ schema, note }: Field): string {
  const { description, enum: values, minimum, maximum, maxLength } = schema;
  const parts = [
    sentence(description),
    values ? `Parmi ${values.map((value) => `\`${value}\``).join(', ')}.` : undefined,
    minimum !== undefined && maximum !== undefined && maximum < 1e6
      ? `De ${minimum} à ${maximum}.`
      : undefined,
    schema.default !== undefined && typeof schema.default !== 'object'
      ? `Par défaut \`${String(schema.default) || '""'}\`.`
      : undefined,
    maxLength !== undefined && maxLength < 1e6
      ? `Au plus ${maxLength.toLocaleString('fr-FR')} caractères.`
      : undefined,
    note ? `(${note})` : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(' ');
}

const sentence = (words: string | undefined) => (words && !/[.!?…]$/.test(words) ? `${words}.` : words);
