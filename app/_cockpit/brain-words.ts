import type { MemoryKind, MemorySource } from '#lib/brain/templates.ts';

/** The source of a Memory, in one word. */
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

/** The kind of a Memory, in one word. */
export const KIND_LABELS: Record<MemoryKind, string> = {
  NOTE: 'Note',
  DOCUMENT: 'Document',
  PAGE: 'Page',
  FACT: 'Fait',
  ITEM: 'Élément',
  PERSON: 'Personne',
};
