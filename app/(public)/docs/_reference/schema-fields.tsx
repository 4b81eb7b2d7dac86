// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
// biome-ignore-all lint/a11y/useSemanticElements: a section would need a heading; the region is the scroll frame
import { words } from './words.tsx';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  const?: string;
  description?: string;
  example?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  maxLength?: number;
};

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

type SchemaFieldsProps = {
  title: string;
  note?: string;
  schemas: Record<string, Schema>;
  schema?: Schema;
  fields?: Field[];
};

/** A table of fields: name, type, what it means. Objects within objects follow, indented by their dotted names. */
export function SchemaFields({ title, note, schemas, schema, fields }: SchemaFieldsProps) {
  const rows = fields ?? (schema ? flatten(schema, schemas, '', 0) : []);
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-semibold text-sm">
        {title} {note && <span className="font-normal text-ink-soft">{note}</span>}
      </h3>
      <div
        className="overflow-x-auto rounded-md border border-line bg-surface"
        role="region"
        aria-label={title}
        tabIndex={0}
      >
        <table className="w-full text-left text-sm">
          <thead className="sr-only">
            <tr>
              <th scope="col">Champ</th>
              <th scope="col">Type</th>
              <th scope="col">Sens</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name} className="border-line border-b last:border-0">
                <th
                  scope="row"
                  className="whitespace-nowrap px-4 py-2 align-top font-mono font-normal text-xs"
                >
                  {row.name}
                  {row.required && fields ? <span className="text-fail"> *</span> : null}
                </th>
                <td className="whitespace-nowrap px-4 py-2 align-top text-ink-soft text-xs">
                  {typeOf(row.schema, schemas)}
                </td>
                <td className="min-w-48 px-4 py-2 align-top text-ink-soft">{meaning(row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  const name = schema.$ref?.split('/').pop();
  return name ? { ...schemas[name], description: schema.description ?? schemas[name]?.description } : schema;
}

function flatten(schema: Schema, schemas: Record<string, Schema>, prefix: string, depth: number): Field[] {
  const object = resolve(schema, schemas);
  const inner = object.items ? resolve(object.items, schemas) : object;
  const path = object.items ? `${prefix}[]` : prefix;
  if (!inner.properties || depth > 4) return [];
  return Object.entries(inner.properties).flatMap(([key, child]) => {
    const name = path ? `${path}.${key}` : key;
    const required = inner.required?.includes(key) ?? false;
    return [{ name, required, schema: child }, ...flatten(child, schemas, name, depth + 1)];
  });
}

function typeOf(schema: Schema, schemas: Record<string, Schema>): string {
  const known = resolve(schema, schemas);
  if (known.anyOf) return known.anyOf.map((one) => typeOf(one, schemas)).join(' ou ');
  if (known.items) return `liste de ${typeOf(known.items, schemas)}`;
  if (known.const !== undefined) return `«\u00a0${known.const}\u00a0»`;
  const types = [known.type ?? 'object'].flat();
  return types.map((type) => TYPES[type] ?? type).join(' ou ');
}

function meaning({ schema, note }: Field) {
  const parts = [
    schema.description,
    schema.enum ? `Parmi ${schema.enum.join(', ')}.` : undefined,
    schema.minimum !== undefined && schema.maximum !== undefined && schema.maximum < 1e6
      ? `De ${schema.minimum} à ${schema.maximum}.`
      : undefined,
    schema.default !== undefined ? `Par défaut ${String(schema.default)}.` : undefined,
    schema.maxLength !== undefined && schema.maxLength < 1e6
      ? `Au plus ${schema.maxLength} caractères.`
      : undefined,
    note ? `(${note})` : undefined,
  ].filter((part): part is string => part !== undefined);
  return parts.flatMap((part, index) => (index === 0 ? words(part) : [' ', ...words(part)]));
}
