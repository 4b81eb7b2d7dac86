import { z } from 'zod';

/** A schema without its `optional`, `default`, `nullable`, `catch` and transformations. */
function core(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod as { def: { type: string; innerType?: z.core.$ZodType; in?: z.core.$ZodType } };
  if (def.innerType) return core(def.innerType);
  if (def.type === 'pipe' && def.in) return core(def.in);
  return schema;
}

/** The argument of an action as a form: a caller who writes the call by hand can send anything, and what is no form becomes an empty one. */
export const givenForm = (given: unknown): FormData => (given instanceof FormData ? given : new FormData());

/** A form sends every line end as CRLF (RFC 7578, section 4.2); what is stored is what was typed. */
const typed = <T extends FormDataEntryValue | null>(value: T): T =>
  (typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value) as T;

/**
 * The fields of a form as its schema reads them: a list for an array (ticked boxes), true or false for a boolean (one box),
 * a file for a file, else the text. Fields the schema does not know are left out; a schema that is not an object gets all texts.
 */
export function formObject(schema: z.ZodType, form: FormData): Record<string, unknown> {
  const object = core(schema);
  if (!(object instanceof z.ZodObject)) {
    const texts = [...form].filter(
      ([name, value]) => typeof value === 'string' && !name.startsWith('$ACTION'),
    );
    return Object.fromEntries(texts.map(([name, value]) => [name, typed(value)]));
  }
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(object.shape as Record<string, z.core.$ZodType>)) {
    const kind = core(field)._zod.def.type;
    if (kind === 'array') result[name] = form.getAll(name).map(typed);
    else if (kind === 'boolean') result[name] = ['on', 'true', '1'].includes(String(form.get(name)));
    else if (form.has(name)) result[name] = typed(form.get(name));
  }
  return result;
}
