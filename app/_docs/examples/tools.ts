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
} as const satisfies Record<string, ToolExample>;
