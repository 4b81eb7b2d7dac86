import type { MemoryFile } from '../memory-file.ts';
import type { MemoryKind, MemorySource, PillarRole, SpaceTemplate } from '../templates.ts';

/** A Space as it is exported: all that its account wrote in it, nothing that is computed. */
export type ExportedSpace = {
  space: {
    id: string;
    name: string;
    template: SpaceTemplate;
    websiteUrl: string | null;
    createdAt: Date;
    updatedAt: Date;
  };
  memories: ExportedMemory[];
};

export type ExportedMemory = {
  id: string;
  pillar: PillarRole;
  parentId: string | null;
  kind: MemoryKind;
  title: string;
  body: string;
  source: MemorySource;
  sourceRef: string | null;
  file: MemoryFile | null;
  createdAt: Date;
  updatedAt: Date;
};

/** What an edit writes anew: read at once, so that no title stands over the text of another version. */
type ExportedText = Pick<ExportedMemory, 'kind' | 'title' | 'body' | 'updatedAt'>;

/** The same on its way out: everything but the texts, which are read as they are written. */
export type SpaceToExport = {
  space: ExportedSpace['space'];
  memories: Omit<ExportedMemory, keyof ExportedText>[];
  /** The texts of some of its Memories, by identifier. */
  readTexts(ids: readonly string[]): Promise<ReadonlyMap<string, ExportedText>>;
};

/** A file of the Markdown archive. */
export type ExportedFile = { path: string; bytes: Uint8Array };
