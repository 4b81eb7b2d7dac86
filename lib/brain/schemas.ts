import { z } from 'zod';
import { idempotencyKey } from '#lib/core/idempotency-key.ts';
import { atMostUnits } from '#lib/core/text-length.ts';
import { MAX_MEMORY_REQUEST_BYTES, MAX_TITLE_LENGTH } from './limits.ts';
import { MEMORY_KINDS, MEMORY_SOURCES, PILLAR_ROLES, type PillarRole, SPACE_TEMPLATES } from './templates.ts';

const PILLAR_INVALID = 'Les cinq rôles sont IDENTITY, GUIDELINES, KNOWLEDGE, ITEMS et PEOPLE.';

/** Title and body of a Memory typed in the cockpit: the API's limits, in the words of a form. */
export const memoryTitle = z
  .string()
  .transform((text) => text.trim())
  .pipe(
    z
      .string()
      .min(1, 'Donnez un titre\u00a0: c’est par lui que la mémoire sera retrouvée.')
      .refine(...atMostUnits(MAX_TITLE_LENGTH, `Le titre compte au plus ${MAX_TITLE_LENGTH} caractères.`)),
  );
export const memoryBody = z
  .string()
  .refine((text) => text.trim() !== '', 'Écrivez le texte de la mémoire.')
  .refine(
    (text) => Buffer.byteLength(text) <= MAX_MEMORY_REQUEST_BYTES - 4096,
    'Ce texte dépasse la taille d’une mémoire (124 Kio). Partagez-le en plusieurs.',
  );

const timestamp = z.iso.datetime().meta({ example: '2026-11-21T09:30:00.000Z' });

export const pillarRole = z
  .unknown()
  .superRefine((value, check) => {
    if (value === undefined) check.addIssue({ code: 'custom', message: 'Ce champ est obligatoire.' });
    else if (!(PILLAR_ROLES as readonly unknown[]).includes(value))
      check.addIssue({ code: 'custom', message: PILLAR_INVALID, params: { code: 'pillar_invalid' } });
  })
  .transform((value) => value as PillarRole)
  .meta({
    override: { type: 'string', enum: [...PILLAR_ROLES] },
    description: 'Rôle du pilier, le même pour tous les modèles d’espace.',
  });

const role = z.enum(PILLAR_ROLES);
const source = z.enum(MEMORY_SOURCES);
const kind = z.enum(MEMORY_KINDS);
const template = z.enum(SPACE_TEMPLATES);

const capacitySchema = z.object({
  usedCu: z.int().meta({ description: 'CU occupées dans le compte' }),
  capacityCu: z.int().meta({ description: 'Capacité active du compte, en CU' }),
});

export const noQuery = z.strictObject({});

export const spacePath = z.object({ id: z.string().meta({ description: 'Identifiant de l’espace' }) });
export const memoryPath = z.object({ id: z.string().meta({ description: 'Identifiant de la mémoire' }) });
export const revisionPath = memoryPath.extend({
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .meta({ override: { type: 'integer' } }),
});

/** Of a read that can be asked for conditionally. */
export const conditionalHeaders = z.object({
  'if-none-match': z.string().optional().meta({ description: 'L’`ETag` de votre copie' }),
});

const spaceSummarySchema = z
  .object({
    object: z.literal('space'),
    id: z.string(),
    name: z.string(),
    template,
    templateLabel: z.string(),
    memories: z.int().meta({ description: 'Nombre de mémoires' }),
    cu: z.int(),
  })
  .meta({ id: 'SpaceSummary' });

export const spaceListSchema = z
  .object({ object: z.literal('list'), data: z.array(spaceSummarySchema), capacity: capacitySchema })
  .meta({ id: 'SpaceList' });

const spaceMemorySchema = z
  .object({
    id: z.string(),
    pillar: role,
    parentId: z.string().nullable(),
    kind,
    title: z.string(),
    body: z.string(),
    source,
    sourceRef: z
      .string()
      .nullable()
      .meta({ description: 'Adresse, chemin, nom de fichier ou outil d’origine' }),
    file: z.object({ name: z.string(), contentType: z.string(), bytes: z.int() }).nullable(),
    cu: z.int(),
    contribution: z
      .int()
      .meta({ description: 'Part de la qualité du pilier\u00a0; les parts en font exactement la somme' }),
    updatedAt: timestamp,
  })
  .meta({ id: 'SpaceMemory' });

export const spaceSchema = z
  .object({
    object: z.literal('space'),
    id: z.string(),
    name: z.string(),
    template,
    templateLabel: z.string(),
    websiteUrl: z.string().nullable(),
    canEdit: z
      .boolean()
      .meta({ description: 'Le membre derrière les identifiants peut écrire dans le Brain' }),
    pillars: z
      .array(
        z.object({
          role,
          label: z.string(),
          icon: z.string(),
          note: z.string(),
          memories: z.array(spaceMemorySchema),
          cu: z.int(),
          quality: z.int(),
        }),
      )
      .length(5),
    cu: z.int(),
    quality: z.int(),
    capacity: capacitySchema,
  })
  .meta({ id: 'Space' });

export const addMemoryBody = z
  .strictObject({
    pillar: pillarRole,
    title: z
      .string()
      .transform((text) => text.trim())
      .pipe(
        z
          .string()
          .min(1)
          .refine(...atMostUnits(MAX_TITLE_LENGTH)),
      )
      .meta({
        override: { type: 'string', minLength: 1, maxLength: MAX_TITLE_LENGTH },
        example: 'Ton de la marque',
      }),
    body: z.string().min(1).meta({
      example: 'Nous vouvoyons, nous expliquons, nous ne crions jamais.',
    }),
    parentId: z
      .string()
      .min(1)
      .max(64)
      .nullish()
      .transform((value) => value ?? null)
      .meta({
        override: { type: ['string', 'null'] },
        description: 'Mémoire du même espace et du même pilier',
      }),
  })
  .meta({ id: 'AddMemory' });

export const idempotencyHeaders = z.object({ 'idempotency-key': idempotencyKey });

export const memorySchema = z
  .object({
    object: z.literal('memory'),
    id: z.string(),
    spaceId: z.string(),
    pillar: role,
    parentId: z.string().nullable(),
    kind,
    title: z.string(),
    body: z.string(),
    source,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Memory' });

const neighbour = z.object({ id: z.string(), title: z.string() });
const neighbours = {
  parent: neighbour.nullable().meta({ description: 'La mémoire sous laquelle elle est rangée' }),
  children: z
    .array(neighbour)
    .meta({ description: 'Celles qu’elle contient, des plus anciennes aux plus récentes\u00a0; 50 au plus' }),
};

export const memoryWithNeighboursSchema = memorySchema
  .extend({
    sourceRef: z.string().nullable(),
    file: z.object({ name: z.string(), contentType: z.string(), bytes: z.int() }).nullable(),
    cu: z.int(),
    ...neighbours,
  })
  .meta({ id: 'MemoryWithNeighbours' });

/** A query parameter that is a whole number, however long; what is not one is refused. */
const integerText = z
  .string()
  .regex(/^[+-]?\d+$/, 'Il faut un nombre entier.')
  .transform((digits) =>
    Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(digits))),
  );

const searchText = z
  .string()
  .refine(...atMostUnits(200))
  .refine((text) => text.trim() !== '', 'Donnez au moins un mot à chercher.');

export const contextQuery = z.strictObject({
  pillars: z
    .string()
    .transform((text, check) => {
      const asked = text.split(',').map((part) => part.trim());
      if (asked.some((part) => !(PILLAR_ROLES as readonly string[]).includes(part)))
        check.addIssue({ code: 'custom', message: PILLAR_INVALID, params: { code: 'pillar_invalid' } });
      return PILLAR_ROLES.filter((one) => asked.includes(one));
    })
    .optional()
    .meta({
      override: { type: 'string' },
      description: 'Rôles séparés par des virgules\u00a0; par défaut les cinq',
      example: 'IDENTITY,GUIDELINES',
    }),
  maxChars: integerText.optional().meta({
    override: { type: 'integer', default: 16_000 },
    description:
      'Longueur maximale du texte\u00a0; ramenée entre 200 et 200 000, la réponse dit la valeur appliquée',
  }),
  q: searchText.optional().meta({
    override: { type: 'string', minLength: 1, maxLength: 200 },
    description:
      'Ce dont il est question\u00a0: la place va aux mémoires qui y répondent, entières ou par leurs passages\u00a0; absent, tout l’espace',
    example: 'combien de temps la lampe est-elle garantie',
  }),
});

export const contextSchema = z
  .object({
    object: z.literal('context'),
    space: z.object({ id: z.string(), name: z.string(), template, templateLabel: z.string() }),
    pillars: z.array(
      z.object({
        role,
        label: z.string(),
        note: z.string(),
        memories: z.array(
          z.object({
            id: z.string(),
            parentId: z.string().nullable(),
            depth: z.int(),
            kind,
            title: z.string(),
            body: z.string(),
            truncated: z.boolean(),
            source,
          }),
        ),
      }),
    ),
    context: z.string().meta({ description: 'Texte prêt pour un prompt, jamais plus long que maxChars' }),
    maxChars: z.int(),
    truncated: z.boolean(),
    omittedMemories: z.int(),
  })
  .meta({ id: 'Context' });

export const searchQuery = z.strictObject({
  q: searchText.meta({
    override: { type: 'string', minLength: 1, maxLength: 200 },
    example: 'ton de la marque',
  }),
  spaceId: z.string().min(1).max(64).optional(),
  pillar: pillarRole.optional(),
  limit: integerText
    .pipe(z.number().min(1).max(50))
    .optional()
    .meta({ override: { type: 'integer', minimum: 1, maximum: 50, default: 20 } }),
});

export const searchSchema = z
  .object({
    object: z.literal('list'),
    query: z.string().meta({ description: 'La recherche normalisée, espaces réduits' }),
    data: z.array(
      z.object({
        object: z.literal('search_result'),
        spaceId: z.string(),
        spaceName: z.string(),
        memoryId: z.string(),
        pillar: role,
        pillarLabel: z.string(),
        title: z.string(),
        snippet: z.string(),
        source,
        score: z.number(),
        updatedAt: timestamp,
        ...neighbours,
      }),
    ),
  })
  .meta({ id: 'SearchResults' });

export const quotaSchema = z
  .object({
    object: z.literal('quota'),
    limit: z.int(),
    used: z.int(),
    remaining: z.int(),
    resetsAt: timestamp,
    activated: z.boolean(),
  })
  .meta({ id: 'Quota' });

const projectSchema = z
  .object({
    id: z.string(),
    object: z.literal('project'),
    name: z.string(),
    websiteUrl: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Project' });

export const projectListSchema = z
  .object({ object: z.literal('list'), data: z.array(projectSchema) })
  .meta({ id: 'ProjectList' });

/** Answers of the cockpit's own routes. */
export const memoryDetailSchema = z
  .object({
    id: z.string(),
    spaceId: z.string(),
    pillar: role,
    parentId: z.string().nullable(),
    kind,
    title: z.string(),
    body: z.string(),
    source,
    sourceRef: z.string().nullable(),
    file: z.object({ name: z.string(), contentType: z.string(), bytes: z.int() }).nullable(),
    cu: z.int(),
    version: z.int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'MemoryDetail' });

const revisionChange = z.enum(['CREATED', 'EDITED', 'MOVED', 'DELETED', 'RESTORED']);

export const revisionListSchema = z.object({
  revisions: z.array(
    z.object({ version: z.int(), change: revisionChange, title: z.string(), at: timestamp, by: z.string() }),
  ),
  more: z.boolean(),
});

const revisionText = z.object({
  version: z.int(),
  title: z.string(),
  body: z.string(),
  kind,
  role,
  change: revisionChange,
});

export const revisionSchema = z.object({ revision: revisionText, previous: revisionText.nullable() });

export const importSchema = z
  .object({
    id: z.string(),
    spaceId: z.string(),
    label: z.string(),
    state: z.enum(['RUNNING', 'DONE', 'FAILED']),
    done: z.int(),
    total: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    refused: z.array(z.object({ path: z.string(), reason: z.string() })),
    refusedCount: z.int(),
    capacityFull: z.boolean(),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
    stalled: z.boolean(),
  })
  .meta({ id: 'Import' });

export const contextTextSchema = z.object({ context: z.string(), truncated: z.boolean() });

/** `before`: the version above which entries are left out; what is no version is as none. */
export const revisionsQuery = z.object({
  before: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .catch(undefined)
    .meta({ override: { type: 'integer' } }),
});

export const exportQuery = z.object({
  format: z.enum(['json', 'markdown'], 'Le format est json ou markdown.'),
});

export const importForm = z.object({
  pillar: z.string().optional(),
  files: z.array(z.file()).meta({ override: { type: 'array', items: { type: 'string', format: 'binary' } } }),
});
