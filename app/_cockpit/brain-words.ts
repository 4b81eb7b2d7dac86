import type { MemoryKind, MemorySource } from '#lib/brain/templates.ts';

/** Where a Memory came from, in one word. */
export const SOURCE_LABELS: Record<MemorySource, string> = {
  REPO: 'Dépôt',
  WEBSITE: 'Site web',
  UPLOAD: 'Import',
  CHAT: 'Conversation',
  LOOP: 'Boucle',
  MANUAL: 'Saisie',
  CONNECTOR: 'Connecteur',
  MCP: 'Assistant',
  API: 'API',
};

/** What a Memory is, in one word. */
export const KIND_LABELS: Record<MemoryKind, string> = {
  NOTE: 'Note',
  DOCUMENT: 'Document',
  PAGE: 'Page',
  FACT: 'Fait',
  ITEM: 'Élément',
  PERSON: 'Personne',
};
