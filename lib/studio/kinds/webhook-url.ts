import type { StudioConfig } from '../context.ts';

/** Where the provider of a video or a lipsync says that its job ended: nothing without a public address that is https. */
export function videoCallback(
  { publicUrl }: Pick<StudioConfig, 'publicUrl'>,
  row: { id: string },
): { callbackUrl?: string } {
  if (!publicUrl?.startsWith('https://')) return {};
  return { callbackUrl: `${publicUrl}/api/webhooks/video/${row.id}` };
}
