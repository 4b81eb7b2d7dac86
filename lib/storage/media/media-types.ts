/** The kinds of file that people and providers hand over, named by what their bytes are. */
export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif';
export type ClipFormat = 'mp4' | 'mov' | 'webm' | 'mp3' | 'wav' | 'm4a';
export type MediaFormat = ImageFormat | ClipFormat;

export const IMAGE_FORMATS = ['png', 'jpeg', 'webp', 'gif'] as const satisfies readonly ImageFormat[];
export const CLIP_FORMATS = [
  'mp4',
  'mov',
  'webm',
  'mp3',
  'wav',
  'm4a',
] as const satisfies readonly ClipFormat[];

export const MEDIA_LIMITS = {
  /** An image uploaded by server action. */
  uploadedImageBytes: 4 * 1024 * 1024,
  /** A rush or a track uploaded straight to the file store. */
  uploadedClipBytes: 50 * 1024 * 1024,
  /** A reference read from an address. */
  referenceBytes: 8 * 1024 * 1024,
  /** Decoded size of any image: a 4 MB file can claim far more than a machine can hold. */
  imagePixels: 64 * 1024 * 1024,
  /** A measured duration longer than this is taken to be false. */
  clipMs: 12 * 3_600_000,
} as const;

const NAMES: Record<
  MediaFormat,
  { contentType: string; extensions: readonly string[]; aliases: readonly string[] }
> = {
  png: {
    contentType: 'image/png',
    extensions: ['png', 'apng'],
    aliases: ['image/apng', 'image/vnd.mozilla.apng'],
  },
  jpeg: {
    contentType: 'image/jpeg',
    extensions: ['jpg', 'jpeg', 'jfif'],
    aliases: ['image/jpg', 'image/pjpeg'],
  },
  webp: { contentType: 'image/webp', extensions: ['webp'], aliases: [] },
  gif: { contentType: 'image/gif', extensions: ['gif'], aliases: [] },
  mp4: { contentType: 'video/mp4', extensions: ['mp4', 'm4v'], aliases: ['video/x-m4v', 'application/mp4'] },
  mov: { contentType: 'video/quicktime', extensions: ['mov', 'qt'], aliases: [] },
  webm: { contentType: 'video/webm', extensions: ['webm'], aliases: ['audio/webm'] },
  mp3: {
    contentType: 'audio/mpeg',
    extensions: ['mp3'],
    aliases: ['audio/mp3', 'audio/x-mp3', 'audio/mpeg3'],
  },
  wav: {
    contentType: 'audio/wav',
    extensions: ['wav', 'wave'],
    aliases: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave', 'audio/x-pn-wav'],
  },
  m4a: { contentType: 'audio/mp4', extensions: ['m4a'], aliases: ['audio/x-m4a', 'audio/m4a'] },
};

const ALL_FORMATS = Object.keys(NAMES) as MediaFormat[];

/** The type a format is served with. */
export function contentTypeOf(format: MediaFormat): string {
  return NAMES[format].contentType;
}

/** The extension a format is stored under, without the dot. */
export function extensionOf(format: MediaFormat): string {
  return NAMES[format].extensions[0]!;
}

/** The format that a declared media type names (parameters and aliases understood), or null. */
export function formatOfContentType(contentType: string): MediaFormat | null {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  return (
    ALL_FORMATS.find((name) => NAMES[name].contentType === type || NAMES[name].aliases.includes(type)) ?? null
  );
}

/** The format that a file name's extension names, or null. */
export function formatOfFileName(name: string): MediaFormat | null {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase();
  return ALL_FORMATS.find((format) => extension && NAMES[format].extensions.includes(extension)) ?? null;
}

/** Whether the format is one of an image. */
export function isImageFormat(format: MediaFormat): format is ImageFormat {
  return (IMAGE_FORMATS as readonly MediaFormat[]).includes(format);
}

/** Every media type under which files of these formats are declared: what an upload may say it is. */
export function declaredTypesOf(formats: readonly MediaFormat[]): string[] {
  return [...new Set(formats.flatMap((format) => [NAMES[format].contentType, ...NAMES[format].aliases]))];
}
