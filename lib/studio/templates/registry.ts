import { announcement } from './designs/announcement.ts';
import { beforeAfter } from './designs/before-after.ts';
import { carousel } from './designs/carousel.ts';
import { eventBanner } from './designs/event-banner.ts';
import { keyFigure } from './designs/key-figure.ts';
import { productCard } from './designs/product-card.ts';
import { quoteCard } from './designs/quote-card.ts';
import { story } from './designs/story.ts';
import { testimonial } from './designs/testimonial.ts';
import type { FieldDefinition, RenderFields, RenderSize, TemplateDefinition } from './drawing/types.ts';

/** Every template, in the order a gallery shows them. */
export const TEMPLATES: readonly TemplateDefinition[] = [
  quoteCard,
  productCard,
  carousel,
  beforeAfter,
  eventBanner,
  story,
  announcement,
  testimonial,
  keyFigure,
];

const byId = new Map(TEMPLATES.map((template) => [template.id, template]));

/** The template of this id, or undefined. */
export function findTemplate(templateId: string): TemplateDefinition | undefined {
  return byId.get(templateId);
}

/** The size of this id (`1080x1350`) that the template offers, or undefined. */
export function findSize(template: TemplateDefinition, sizeId: string): RenderSize | undefined {
  return template.sizes.find((size) => size.id === sizeId);
}

export type TemplateSummary = {
  id: string;
  name: string;
  description: string;
  fields: readonly FieldDefinition[];
  sizes: readonly RenderSize[];
};

/** What a form or a gallery needs of each template; plain data that can cross to the browser. */
export function listTemplates(): TemplateSummary[] {
  return TEMPLATES.map(({ id, name, description, fields, sizes }) => ({
    id,
    name,
    description,
    fields,
    sizes,
  }));
}

/** The example of a template as fields; images are left out, so draw it with `placeholders`. */
export function exampleFields(template: TemplateDefinition): RenderFields {
  const fields: RenderFields = {};
  for (const { id, example } of template.fields) {
    if (typeof example === 'string') fields[id] = example;
    else if (example) fields[id] = example.map((item) => ({ ...item }));
  }
  return fields;
}

/** Names of the files that these fields give, in order: known before anything is drawn. */
export function renderFileNames(
  template: TemplateDefinition,
  fields: RenderFields,
  size: RenderSize,
): string[] {
  const pages = template.pages(fields);
  if (pages === 1) return [`${template.id}-${size.id}.png`];
  return Array.from(
    { length: pages },
    (_, i) => `${template.id}-${size.id}-${String(i + 1).padStart(2, '0')}.png`,
  );
}
