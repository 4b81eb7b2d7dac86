import { cacheBytes } from '#lib/core/resource-limits/cache-bytes.ts';
import type { StudioContext, StudioPorts } from '../context.ts';

/** A composer asks again at each pause of typing: reads of the last minute are reused. */
const FOR_MS = 60_000;
const MAX_BYTES = cacheBytes('previewReads');
const MAX_ENTRIES = 200;

type Entry = { until: number; bytes: number; value: Promise<unknown> };
const cache = new Map<string, Entry>();

/** Empties the cache; for tests. */
export function clearCachedReads(): void {
  cache.clear();
}

function cached<T>(
  key: string,
  now: number,
  sizeOf: (value: T) => number,
  read: () => Promise<T>,
): Promise<T> {
  const known = cache.get(key);
  if (known && now < known.until) return known.value as Promise<T>;
  const value = read();
  const entry: Entry = { until: now + FOR_MS, bytes: 0, value };
  cache.set(key, entry);
  value.then(
    (read) => {
      entry.bytes = sizeOf(read);
      trim(now);
    },
    () => cache.delete(key),
  );
  return value;
}

function trim(now: number): void {
  let bytes = 0;
  for (const [key, entry] of cache) if (entry.until <= now) cache.delete(key);
  for (const { bytes: one } of cache.values()) bytes += one;
  for (const [key, entry] of cache) {
    if (bytes <= MAX_BYTES && cache.size <= MAX_ENTRIES) return;
    cache.delete(key);
    bytes -= entry.bytes;
  }
}

/**
 * The same ports, which read a file, an address or a voice's description once a minute. For previews alone: a request that
 * is sent reads everything again. Files and addresses are cached by account; voices are the service's own.
 */
export function withCachedReads(ctx: StudioContext, accountId: string): StudioPorts {
  const { studio } = ctx;
  const now = ctx.clock.now().getTime();
  const { store } = studio;
  return {
    ...studio,
    store: store && {
      ...store,
      read: (pathname, options) =>
        cached(
          `file:${accountId}:${pathname}:${options.maxBytes}`,
          now,
          (file) => file?.bytes.byteLength ?? 0,
          () => store.read(pathname, options),
        ),
    },
    fetch: (url, options) =>
      cached(
        `url:${accountId}:${JSON.stringify(options?.policy ?? null)}:${url}`,
        now,
        (file) => file.bytes.byteLength,
        () => studio.fetch(url, options),
      ),
    providers: {
      ...studio.providers,
      voice: {
        ...studio.providers.voice,
        describeVoice: (voiceId) =>
          cached(
            `voice:${studio.providers.modes.elevenlabs}:${voiceId}`,
            now,
            () => 0,
            () => studio.providers.voice.describeVoice(voiceId),
          ),
      },
    },
  };
}
