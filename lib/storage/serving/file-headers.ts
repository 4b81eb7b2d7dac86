import { extendedValue } from '#lib/core/text/extended-value.ts';

/** Types that a browser may show in place; anything else is saved. None of them can run. */
const SHOWN_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/svg+xml',
  'video/mp4',
  'video/quicktime',
  'video/webm',
  'audio/mpeg',
  'audio/wav',
  'audio/mp4',
  'audio/webm',
]);

/**
 * The headers under which a stored file is given: its recorded type and no other, no script, no frame, no origin of ours,
 * no cache that outlives the session. A pictogram keeps its own styles and nothing more.
 */
export function safeFileHeaders(file: {
  pathname: string;
  contentType: string;
  download: boolean;
}): Record<string, string> {
  const isShown = SHOWN_TYPES.has(file.contentType);
  const style = file.contentType === 'image/svg+xml' ? " style-src 'unsafe-inline';" : '';
  return {
    'Content-Type': isShown ? file.contentType : 'application/octet-stream',
    'Content-Disposition': disposition(file.pathname, isShown && !file.download ? 'inline' : 'attachment'),
    'Content-Security-Policy': `default-src 'none';${style} sandbox`,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    // Compressed on its way, a range would be one of other bytes than those that it names.
    'Cache-Control': 'private, no-cache, no-transform',
    Vary: 'Cookie',
    'Accept-Ranges': 'bytes',
  };
}

function disposition(pathname: string, kind: 'inline' | 'attachment'): string {
  const name = pathname.split('/').at(-1) ?? 'fichier';
  const ascii = name.replace(/[^A-Za-z0-9._-]/g, '_');
  return `${kind}; filename="${ascii}"${ascii === name ? '' : `; filename*=${extendedValue(name)}`}`;
}
