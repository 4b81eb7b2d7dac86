/** The file that a Memory was read from. */
export type MemoryFile = { name: string; contentType: string; bytes: number };
