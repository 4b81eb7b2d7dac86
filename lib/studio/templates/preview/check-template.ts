import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type Problem, ServiceError } from '#lib/core/errors.ts';
import { requireProduct } from '#lib/storage/refusals.ts';
import { checkCopy } from '../../copy-rules/check-copy.ts';
import { declaredFacts } from '../../copy-rules/declared-facts.ts';
import type { RenderFields, TemplateDefinition } from '../drawing/types.ts';
import { parseRenderFields, placedAsTyped, textsOf, undrawableProblems } from '../fields.ts';
import { findTemplate } from '../registry.ts';
import { fillFields, nameInForm } from './fill-fields.ts';

/** A fault of the form; with the place in the field's text when it is about wording. */
export type TemplateProblem = Problem & { start?: number; end?: number; excerpt?: string };

export type TemplateCheck = {
  problems: TemplateProblem[];
  /** Required fields that are still empty. */
  missing: string[];
  /** Fields whose example the preview shows. */
  examples: string[];
  /** How many files it gives; 0 when it cannot be drawn. */
  pages: number;
};

/**
 * What a form of a template is worth now, by the very rules that a render applies: shapes, wording (with the place of each
 * problem), characters that the fonts lack. An empty required field is `missing`, not a problem: the form is being filled in.
 * Errors: `not_found` for an unknown template, `invalid` for an unknown product.
 */
export async function checkTemplate(
  ctx: Context<AccountActor>,
  input: { templateId: string; fields: unknown; productId: string },
): Promise<TemplateCheck> {
  const template = findTemplate(input.templateId);
  if (!template) throw new ServiceError('not_found');
  const product = requireProduct(ctx, input.productId);
  const { fields: filled, places, ...empty } = fillFields(template, input.fields);
  const inForm = (name: string) => nameInForm(name, places);
  const [missing, examples] = [empty.missing.map(inForm), empty.examples.map(inForm)];
  let fields: RenderFields;
  try {
    fields = parseRenderFields(template.id, withPlaceholders(template, filled));
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid')
      return { problems: named(error.options.problems ?? [], inForm), missing, examples, pages: 0 };
    throw error;
  }
  const shown = new Set(empty.examples);
  // An example that fills a hole is not the member's wording: of a field, of an item, of a whole list.
  const isExample = (name: string) =>
    [name, name.split('.')[0] ?? '', name.split('[')[0] ?? ''].some((one) => shown.has(one));
  const texts = textsOf(template, fields).filter(({ field }) => !isExample(field));
  const copy = checkCopy({
    fields: Object.fromEntries(texts.map(({ field, text }) => [field, text])),
    factsDeclared: await declaredFacts(ctx, product),
  });
  const undrawable = undrawableProblems(template, fields);
  return {
    problems: [
      ...copy.map(({ field, message, start, end, excerpt }) =>
        placedAsTyped(input.fields, { field: inForm(field), message, start, end, excerpt }),
      ),
      ...named(undrawable, inForm),
    ],
    missing,
    examples,
    pages: undrawable.length > 0 ? 0 : template.pages(fields),
  };
}

const named = (problems: readonly Problem[], inForm: (name: string) => string): Problem[] =>
  problems.map((problem) => ({ ...problem, field: inForm(problem.field) }));

/** A required image may still be missing: a pathname stands for it, which draws the placeholder. */
export function withPlaceholders(
  template: TemplateDefinition,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  const filled = { ...fields };
  for (const field of template.fields)
    if (field.kind === 'image' && field.required && !filled[field.id])
      filled[field.id] = 'references/placeholder';
  return filled;
}
