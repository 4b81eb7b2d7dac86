import type { Product } from '#lib/products/types.ts';
import { ignoredLayersOf, type ServerLayer } from './server-layers.ts';
import { findSkill, type Skill } from './skills.ts';

/** What a request brings for its prompt; `system`, `rules` and `connectors` are layers that only a server may set. */
type PromptLayers = {
  brief: string;
  skills?: readonly string[] | undefined;
} & { [layer in ServerLayer]?: unknown };

export type StackedPrompt = {
  /** Sent exactly as it is. */
  prompt: string;
  /** Skills that were used, in the order of the request. */
  skills: string[];
  /** What was sent and ignored, in a fixed order. */
  ignoredLayers: string[];
};

/**
 * Stacks the layers of a prompt in a fixed order: brief, skills, the product's tone, its promises, the Brain's context.
 * Deterministic. What the cockpit may not decide (a system line, rules, connectors, an unknown skill) is left out and named.
 */
export function stackPrompt(input: {
  kind: Skill['kinds'][number];
  layers: PromptLayers;
  product: Pick<Product, 'name' | 'brand'>;
  brainContext?: string | undefined;
}): StackedPrompt {
  const { layers, product } = input;
  const skills: Skill[] = [];
  const ignoredLayers: string[] = ignoredLayersOf(layers);
  for (const id of new Set(layers.skills ?? [])) {
    const skill = findSkill(id, input.kind);
    if (skill) skills.push(skill);
    else ignoredLayers.push(`skill:${id}`);
  }
  const blocks = [layers.brief.trim()];
  if (skills.length > 0) blocks.push(skills.map((skill) => `- ${skill.instruction}`).join('\n'));
  const { tone, promises = [] } = product.brand ?? {};
  if (tone) blocks.push(`Ton de la marque ${product.name} :\n${tone}`);
  if (promises.length > 0)
    blocks.push(
      `Promesses de la marque ${product.name} :\n${promises.map((line) => `- ${line}`).join('\n')}`,
    );
  if (input.brainContext) blocks.push(`Contexte de la marque :\n${input.brainContext.trim()}`);
  return { prompt: blocks.join('\n\n'), skills: skills.map((skill) => skill.id), ignoredLayers };
}
