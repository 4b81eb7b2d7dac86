import { gzipSync } from 'node:zlib';
import type { Seat } from './scenes/brain.ts';

/** The limits of a page, in bytes: scripts compressed with gzip, fonts as they are, HTML uncompressed. */
export const LIMITS = { scripts: 165 * 1024, fonts: 70 * 1024, html: 1024 * 1024 };

type PageWeight = {
  status: number;
  /** The bytes of the scripts that the document names, compressed with gzip; `files` is their number. */
  scripts: number;
  files: number;
  /** The bytes of the fonts that the document preloads. */
  fonts: number;
  html: number;
  htmlGzip: number;
  ms: number;
  /** The files that could not be loaded. */
  missing: string[];
};

/** Measures pages of a served app by the scripts and fonts that a first visit loads. Each file is read once. */
export function pageScales(baseUrl: string) {
  const sizes = new Map<string, Promise<number | null>>();
  const sizeOf = (source: string, packed: boolean) => {
    const known = sizes.get(source);
    if (known) return known;
    const reading = fetch(new URL(source, baseUrl)).then(async (file) => {
      const bytes = Buffer.from(await file.arrayBuffer());
      if (!file.ok) return null;
      return packed ? gzipSync(bytes).length : bytes.length;
    });
    sizes.set(source, reading);
    return reading;
  };
  return async (path: string, cookie?: Seat['cookie']): Promise<PageWeight> => {
    const started = performance.now();
    const headers = new Headers(cookie ? { cookie: `${cookie.name}=${cookie.value}` } : {});
    const answer = await fetch(baseUrl + path, { headers, redirect: 'manual' });
    const html = await answer.text();
    const ms = Math.round(performance.now() - started);
    const missing: string[] = [];
    const sum = async (sources: Set<string>, packed: boolean) => {
      let total = 0;
      for (const source of sources) {
        const size = await sizeOf(source, packed);
        if (size === null) missing.push(source);
        else total += size;
      }
      return total;
    };
    const scripts = found(html, /<script[^>]+src="([^"]+\.js)[^"]*"(?![^>]*nomodule)/gi);
    // React may announce fonts in a header, so that the browser starts loading them sooner.
    const fonts = new Set([
      ...found(html, /<link[^>]+href="([^"]+\.woff2)[^"]*"/gi),
      ...found(answer.headers.get('link') ?? '', /<([^>]+\.woff2)[^>]*>/g),
    ]);
    return {
      status: answer.status,
      scripts: await sum(scripts, true),
      files: scripts.size,
      fonts: await sum(fonts, false),
      html: Buffer.byteLength(html),
      htmlGzip: gzipSync(html).length,
      ms,
      missing,
    };
  };
}

function found(html: string, pattern: RegExp): Set<string> {
  return new Set([...html.matchAll(pattern)].map((match) => match[1] as string));
}

/** The limits that a page exceeds and the files that it lacks, in words; empty if there are none. */
export function tooHeavy(weight: PageWeight): string[] {
  return [
    ...weight.missing.map((source) => `${source} does not answer`),
    ...(weight.files === 0 ? ['no script found'] : []),
    ...(weight.fonts === 0 ? ['no font found'] : []),
    ...(['scripts', 'fonts', 'html'] as const)
      .filter((part) => weight[part] > LIMITS[part])
      .map((part) => `${kib(weight[part])} KiB of ${part}, at most ${kib(LIMITS[part])}`),
  ];
}

/** KiB with one decimal. */
export function kib(bytes: number): number {
  return Math.round(bytes / 102.4) / 10;
}
