import type { AddedMemory, MemoryRecord } from './add-memory.ts';

/** What adding answers: the Memory, and those that it is much like. */
export function viewAdded({ memory, similar }: AddedMemory) {
  return { ...viewMemory(memory), similar };
}

/** A Memory as every operation answers it (B-34). */
export function viewMemory(memory: MemoryRecord) {
  return {
    object: 'memory' as const,
    id: memory.id,
    spaceId: memory.spaceId,
    pillar: memory.role,
    parentId: memory.parentId,
    kind: memory.kind,
    title: memory.title,
    body: memory.body,
    source: memory.source,
    createdAt: memory.createdAt.toISOString(),
    updatedAt: memory.updatedAt.toISOString(),
  };
}
