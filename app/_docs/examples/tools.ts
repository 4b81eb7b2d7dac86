import type { ToolExample } from './types.ts';

/** One call of every tool that an assistant has. */
export const TOOL_EXAMPLES = {
  brain_list_spaces: { arguments: {}, twin: 'listSpaces' },
  brain_get_context: {
    arguments: { spaceId: '$SPACE_ID', q: 'Combien de temps dure une lampe', maxChars: 4000 },
    twin: 'getContext',
  },
  brain_search: { arguments: { q: 'vingt ans', limit: 5 }, twin: 'search' },
  brain_get_memory: { arguments: { memoryId: '$MEMORY_ID' }, twin: 'getMemory' },
  search: { arguments: { query: 'vingt ans' } },
  fetch: { arguments: { id: '$MEMORY_ID' } },
  brain_quota: { arguments: {}, twin: 'getQuota' },
  brain_add_memory: {
    arguments: {
      spaceId: '$SPACE_ID',
      pillar: 'KNOWLEDGE',
      title: 'Garantie',
      body: 'Chaque lampe est garantie vingt ans.',
      idempotencyKey: 'garantie-2026',
    },
    twin: 'addMemory',
  },
  brain_propose_memory: {
    arguments: {
      memoryId: '$MEMORY_ID',
      title: 'Garantie et réparation',
      body: 'Chaque lampe est garantie vingt ans, et se répare dans nos ateliers.',
      note: 'La page des garanties du site a changé.',
    },
  },
  studio_generate_image: {
    arguments: { brief: 'Une lampe allumée au crépuscule', aspectRatio: '1:1' },
    twin: 'previewGeneration',
  },
  studio_status: { arguments: { generationId: '$GENERATION_ID' }, twin: 'getStudioGeneration' },
  studio_journal: { arguments: { status: 'done', limit: 5 }, twin: 'listStudioGenerations' },
} as const satisfies Record<string, ToolExample>;

/** What an assistant reads by its address, of each kind that the server announces, by the announced name. */
export const RESOURCE_EXAMPLES: Readonly<Record<string, string>> = {
  contexte: 'atelier://spaces/$SPACE_ID/context?q=garantie&maxChars=4000',
  espace: 'atelier://spaces/$SPACE_ID',
  memoire: 'atelier://memories/$MEMORY_ID',
};

/** Every prompt that the server offers: its words as it announces them, which the test compares, and arguments. */
export const PROMPT_EXAMPLES: Readonly<
  Record<string, { title: string; description: string; arguments: Record<string, string> }>
> = {
  ecrire_ton_marque: {
    title: 'Écrire dans le ton de la marque',
    description:
      'Rédige sur un sujet avec ce que l’espace sait de la marque, de sa charte et du sujet. Coûte une lecture.',
    arguments: { space: '$SPACE_ID', subject: 'Une invitation à visiter l’atelier' },
  },
  verifier_charte: {
    title: 'Vérifier un texte d’après la charte',
    description:
      'Relit un texte d’après l’identité et la charte de l’espace\u00a0: chaque écart, pourquoi, et comment l’écrire. Coûte une lecture.',
    arguments: { space: '$SPACE_ID', text: 'Nos lampes durent vingt ans.' },
  },
};
