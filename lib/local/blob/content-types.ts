const TYPES: Record<string, string> = {
  aac: 'audio/aac',
  avif: 'image/avif',
  css: 'text/css',
  csv: 'text/csv',
  flac: 'audio/flac',
  gif: 'image/gif',
  html: 'text/html',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  m4a: 'audio/mp4',
  m4v: 'video/mp4',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  mpeg: 'video/mpeg',
  ogg: 'audio/ogg',
  opus: 'audio/opus',
  otf: 'font/otf',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  tiff: 'image/tiff',
  ttf: 'font/ttf',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: 'application/xml',
  zip: 'application/zip',
};

/** The content type that a pathname's extension suggests. */
export function typeOfPathname(pathname: string): string {
  const extension = pathname.match(/\.([A-Za-z0-9]+)$/)?.[1]?.toLowerCase() ?? '';
  return TYPES[extension] ?? 'application/octet-stream';
}

/** Whether a type is in a list whose entries may be `image/*`. */
export function isTypeAllowed(type: string, allowed: readonly string[]): boolean {
  const bare = type.split(';')[0]?.trim().toLowerCase() ?? '';
  return allowed.some((entry) => entry === bare || entry === '*/*' || entry === `${bare.split('/')[0]}/*`);
}
