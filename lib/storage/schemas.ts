import { z } from 'zod';
import { ASSET_KEEP_REASONS } from './keep-reason.ts';
import { MAX_CHOSEN } from './limits.ts';

/** Tasks of the same night that its one deadline left no time for; absent when all were done. */
const left = z.array(z.string()).optional();

/** `if=missed`: what a scheduler asks that was just started, and cannot know whether the night was had. */
export const retentionQuery = z.object({ if: z.literal('missed').optional() });

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
    orphansRefused: z.literal(true).optional(),
    withheld: z.enum(['copy', 'marked']).optional(),
    complete: z.boolean(),
    left,
  }),
  z.object({ skipped: z.enum(['no-blob-store', 'already-running', 'not-missed']), left }),
]);

export const exportPath = z.object({
  id: z.string().meta({ description: 'Identifiant de l’export' }),
});

const range = z.string().optional().meta({ description: 'La plage demandée, `bytes=0-1023`' });

const ifRange = z.string().optional().meta({ description: 'L’`ETag` que la plage continue' });

export const exportHeaders = z.object({ range, 'if-range': ifRange });

export const fileHeaders = z.object({
  range,
  'if-range': ifRange,
  'if-none-match': z.string().optional().meta({ description: 'L’`ETag` de votre copie' }),
});

export const filePath = z.object({
  pathname: z.unknown().meta({ description: 'Chemin du fichier', override: { type: 'string' } }),
});
export const fileQuery = z.object({
  // By its value too: `download=true` was passed over in silence, and the file shown instead.
  download: z
    .literal('1', 'La seule valeur est 1\u00a0; pour montrer le fichier, ôtez ce paramètre.')
    .optional()
    .meta({ description: '`1`\u00a0: à enregistrer plutôt qu’à montrer' }),
});

/** Which rows of the journal a zip takes the files of. */
export const archiveQuery = z.strictObject({
  ids: z
    .string()
    .min(1)
    .max(4_000)
    .refine((ids) => ids.split(',').length <= MAX_CHOSEN, `Demandez ${MAX_CHOSEN} générations au plus.`)
    .transform((ids) => ids.split(',').filter((id) => /^gen_[0-9a-z]{26}$/.test(id)))
    .meta({ description: `Identifiants de générations, séparés par des virgules, ${MAX_CHOSEN} au plus` }),
});

/** What the cockpit asks of a file. */
export const shownFileQuery = fileQuery.extend({
  thumbnail: z.string().optional().meta({
    description:
      '`1`\u00a0: comme une vignette de 320\u00a0px la montre\u00a0; `bin`\u00a0: cette vignette, d’un fichier de la corbeille ou d’un avatar',
  }),
});
