import { z } from 'zod';
import { ASSET_KEEP_REASONS } from './keep-reason.ts';

/** What one retention pass answers (S-61). */
export const retentionSchema = z.union([
  z.object({
    assets: z.object({
      expired: z.int(),
      kept: z.record(z.enum(ASSET_KEEP_REASONS), z.int()),
    }),
    uploads: z.int(),
    files: z.object({ removed: z.int(), failed: z.int() }),
    orphans: z.object({ scanned: z.int(), expired: z.int(), failed: z.int() }),
    complete: z.boolean(),
  }),
  z.object({ skipped: z.enum(['no-blob-store', 'already-running']) }),
]);

export const filePath = z.object({
  pathname: z.unknown().meta({ description: 'Chemin du fichier', override: { type: 'string' } }),
});
export const fileQuery = z.object({
  download: z.string().optional().meta({ description: '`1`\u00a0: à enregistrer plutôt qu’à montrer' }),
});

/** What a browser that wants to send a file straight to the store asks, in the words of the store's own client. */
export const uploadTokenBody = z.looseObject({
  type: z.literal('blob.generate-client-token'),
  payload: z
    .looseObject({
      pathname: z.string().catch(''),
      clientPayload: z.string().nullable().catch(null),
    })
    .catch({ pathname: '', clientPayload: null }),
});
export const uploadTokenSchema = z.object({
  type: z.literal('blob.generate-client-token'),
  clientToken: z.string(),
});

/** What the store says, under its signature, once the file is there. */
export const uploadCompletedBody = z.looseObject({ type: z.literal('blob.upload-completed') });
export const uploadCompletedSchema = z.object({
  type: z.literal('blob.upload-completed'),
  response: z.enum(['ok', 'refused']),
});
