import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

const MIB = 2 ** 20;

/** The caches that are bounded by size, and how many bytes each asks for where there is room. */
const ASKED = {
  /** Lists, texts and terms that searches made. */
  searchLists: 192 * MIB,
  /** Once its lists are made a page is seldom read again, and must not take their place. */
  searchPages: 32 * MIB,
  searchAnswers: 24 * MIB,
  searchNeighbours: 16 * MIB,
  contexts: 48 * MIB,
  /** Of Spaces that links show, and those that are copied. */
  shownContexts: 4 * MIB,
  pillars: 24 * MIB,
  /** Rows of Spaces, as the cockpit shows them. */
  spaceViews: 8 * MIB,
  coverage: 1 * MIB,
  previewReads: 32 * MIB,
} as const;

export type Cache = keyof typeof ASKED;

const ALL = Object.values(ASKED).reduce((sum, one) => sum + one, 0);

/** Routes and pages are bundled apart: each bundle keeps its own. */
const COPIES = 2;

/** Keeping less than this would only cost. */
const MIN_BYTES = MIB / 16;

/** What one process may use: V8's heap (`--max-old-space-size` and the young generation), and memory, by its container or its machine. */
type ProcessLimits = { heapBytes: number; memoryBytes: number };

/**
 * The bytes that one copy of a cache may keep, a multiple of 1,024: all of them together, in both bundles, take a third of the heap and an eighth of the
 * memory at most, each in proportion to what it asks for. What a cache keeps outside of the heap counts as if it were inside.
 */
export function cacheBytes(cache: Cache, limits: ProcessLimits = processLimits()): number {
  const together = Math.min(ALL, limits.heapBytes / 3 / COPIES, limits.memoryBytes / 8 / COPIES);
  const share = Math.floor((ASKED[cache] * together) / ALL / 1024) * 1024;
  return Math.max(MIN_BYTES, share);
}

/** The limits of this process. Where nothing constrains it, Node says 0, or a number past any machine's memory. */
function processLimits(): ProcessLimits {
  const constrained = process.constrainedMemory();
  const total = totalmem();
  return {
    heapBytes: getHeapStatistics().heap_size_limit,
    memoryBytes: constrained > 0 ? Math.min(constrained, total) : total,
  };
}
