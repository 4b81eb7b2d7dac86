import { ServiceError } from '#lib/core/errors.ts';
import { modelFor } from '#lib/providers/models/catalogue.ts';
import { estimateMicros, pricingRecord } from '#lib/providers/models/pricing.ts';
import type { StudioContext } from '../context.ts';
import { checkCopy } from '../copy-rules/check-copy.ts';
import { declaredFacts } from '../copy-rules/declared-facts.ts';
import type { Generation } from '../generation/generation.ts';
import type { Failed, Submission } from '../generation/outcome.ts';
import type { ReferenceFile } from '../generation/params.ts';
import { RENDER_DEADLINE_MS } from '../limits.ts';
import { ignoredLayersOf } from '../prompt/server-layers.ts';
import { type ReadReference, readReferences } from '../references/read-references.ts';
import { signReference } from '../references/sign-reference.ts';
import { renderInputs } from '../renders/render-job.ts';
import { withRenderSpan } from '../telemetry.ts';
import type { RenderFields, TemplateDefinition } from '../templates/drawing/types.ts';
import {
  parseRenderFields,
  parseRenderSize,
  placedAsTyped,
  renderBrief,
  textsOf,
  undrawableProblems,
} from '../templates/fields.ts';
import { findTemplate } from '../templates/registry.ts';
import { keepRequest } from './checks.ts';
import { providerFailure } from './failures.ts';
import type { PrepareKind } from './kind.ts';

/** A template drawn by the outside runner: launched here, closed by its callback or the sweep. */
export const prepareRender: PrepareKind<'render'> = async (ctx, request, product) => {
  const { config, store } = ctx.studio;
  const origin = config.publicUrl ?? config.requestOrigin;
  if (!config.rendersConfigured || !store || !(config.storeToken || store.grantWrite) || !origin)
    throw new ServiceError('not_configured');
  const factsDeclared = await declaredFacts(ctx, product);
  const fields = parseFields(request.template, request.fields, factsDeclared);
  const size = parseRenderSize(request.template, request.size);
  const template = findTemplate(request.template) as TemplateDefinition;
  refuseTexts(template, fields, { given: request.fields, factsDeclared });

  const refs = imageRefs(template, fields);
  const read = await readReferences(
    ctx,
    product,
    refs.map((ref) => ({ ref, as: 'image' as const })),
  );
  const files: Record<string, ReferenceFile> = {};
  for (const [index, ref] of refs.entries()) {
    const found = read[index];
    if (found) files[ref] = found.file;
  }
  const { storeToken, storeApiUrl } = config;
  const model = modelFor('render');
  return {
    kind: 'RENDER',
    assetType: 'IMAGE',
    provider: model.service,
    modelId: model.modelId,
    params: {
      brief: renderBrief(template, fields),
      case: 'render',
      template: template.id,
      size: size.id,
      skills: [],
      ignoredLayers: ignoredLayersOf(request),
      engine: 'github-actions',
      pricing: pricingRecord('render', {}),
      mode: ctx.studio.providers.modes.github,
      request: keepRequest(request),
    },
    references: refs.length > 0 ? { roles: { fields: files } } : {},
    estimateMicros: estimateMicros('render', {}),
    start: (row) =>
      withRenderSpan('studio.render.launch', async () => {
        const now = ctx.clock.now();
        const inputs = await renderInputs({
          generationId: row.id,
          templateId: template.id,
          sizeId: size.id,
          fields,
          brand: { name: product.id === 'libre' ? '' : product.name, ...product.brand?.colours },
          images: await signedImages(ctx, row, read, new Date(now.getTime() + RENDER_DEADLINE_MS)),
          ...(store.grantWrite ? { grantWrite: store.grantWrite } : { readWriteToken: storeToken ?? '' }),
          ...(storeApiUrl ? { storeApiUrl } : {}),
          callbackUrl: `${origin}/api/webhooks/render`,
          now,
        });
        return dispatchRun(ctx, inputs);
      }),
  };
};

/** Throws `invalid` for texts that the copy rules refuse (`copy`), or that our fonts cannot draw (`characters`). */
function refuseTexts(
  template: TemplateDefinition,
  fields: RenderFields,
  { given, factsDeclared }: { given: Record<string, unknown>; factsDeclared: readonly string[] | null },
): void {
  const copy = copyProblems(textsOf(template, fields), factsDeclared);
  if (copy.length > 0)
    throw new ServiceError('invalid', {
      detail: 'copy',
      message: copy[0]?.message ?? '',
      problems: copy.map((problem) => placedAsTyped(given, problem)),
    });
  const undrawable = undrawableProblems(template, fields);
  if (undrawable.length > 0)
    throw new ServiceError('invalid', { detail: 'characters', problems: undrawable });
}

function copyProblems(texts: ReturnType<typeof textsOf>, factsDeclared: readonly string[] | null) {
  const fields = Object.fromEntries(texts.map(({ field, text }) => [field, text]));
  return checkCopy({ fields, factsDeclared });
}

/** An address for each image, by what the fields name it, that the runner may read until the deadline. */
async function signedImages(
  ctx: StudioContext,
  row: Generation,
  images: readonly ReadReference[],
  expiresAt: Date,
): Promise<Record<string, string>> {
  const signed = images.map(
    async (one) => [one.file.ref, await signReference(ctx, row, one, expiresAt)] as const,
  );
  return Object.fromEntries(await Promise.all(signed));
}

/** Starts the runner: its run, for the row, or why it was refused. */
async function dispatchRun(
  ctx: StudioContext,
  inputs: Record<string, string>,
): Promise<{ result: 'started'; submission: Submission } | Failed> {
  const dispatched = await ctx.studio.providers.render.dispatch({ inputs });
  if (dispatched.outcome === 'failed') return providerFailure(dispatched);
  return {
    result: 'started',
    submission: {
      ...(dispatched.runId ? { providerJobId: dispatched.runId } : {}),
      deadlineAt: new Date(ctx.clock.now().getTime() + RENDER_DEADLINE_MS),
      facts: {
        ...(dispatched.runId ? { workflowRunId: dispatched.runId } : {}),
        ...(dispatched.runUrl ? { runUrl: dispatched.runUrl } : {}),
      },
    },
  };
}

/**
 * The fields, or every problem at once: a field that is missing does not hide the wording of those that are there. The shape's
 * own refusal keeps its `detail`.
 */
function parseFields(
  templateId: string,
  given: Record<string, unknown>,
  factsDeclared: readonly string[] | null,
): RenderFields {
  try {
    return parseRenderFields(templateId, given);
  } catch (error) {
    const template = findTemplate(templateId);
    if (!template || !(error instanceof ServiceError) || error.code !== 'invalid') throw error;
    const { problems = [] } = error.options;
    const named = new Set(problems.map(({ field }) => field));
    const texts = textsOf(template, readable(given)).filter(({ field }) => !named.has(field));
    const copy = copyProblems(texts, factsDeclared);
    throw new ServiceError('invalid', { ...error.options, problems: [...problems, ...copy] });
  }
}

/** The strings of fields that may have any shape. */
function readable(given: Record<string, unknown>): RenderFields {
  const strings = (value: object) =>
    Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  const fields: RenderFields = {};
  for (const [id, value] of Object.entries(given)) {
    if (typeof value === 'string') fields[id] = value;
    else if (Array.isArray(value))
      fields[id] = value.map((item: unknown) => (item && typeof item === 'object' ? strings(item) : {}));
  }
  return fields;
}

/** What the image fields name, each once. */
function imageRefs(template: TemplateDefinition, fields: RenderFields): string[] {
  const refs = new Set<string>();
  for (const field of template.fields) {
    const value = fields[field.id];
    if (field.kind === 'image' && typeof value === 'string') refs.add(value);
    if (!Array.isArray(value)) continue;
    for (const item of value)
      for (const part of field.item ?? []) {
        const ref = item[part.id];
        if (part.kind === 'image' && ref) refs.add(ref);
      }
  }
  return [...refs];
}
