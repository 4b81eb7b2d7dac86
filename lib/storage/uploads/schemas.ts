import { z } from 'zod';
import type { UploadRecord } from './record-upload.ts';

/** What a browser that wants to send a file straight to the store asks, in the words of the store's own client. */
export const uploadTokenBody = z.looseObject({
  type: z.literal('blob.generate-client-token').meta({ description: 'Ce qui est demandé\u00a0: un envoi' }),
  payload: z
    .looseObject({
      pathname: z.string().catch('').meta({
        description: 'Chemin voulu\u00a0: le dossier des références du produit, puis un nom de fichier',
      }),
      clientPayload: z
        .string()
        .nullable()
        .catch(null)
        .meta({ description: 'Un texte JSON\u00a0: `productId`, et `bytes`, la taille du fichier' }),
    })
    .catch({ pathname: '', clientPayload: null })
    .meta({ description: 'L’envoi voulu' }),
});
export const uploadTokenSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('blob.generate-client-token'), clientToken: z.string() }),
  z.object({
    type: z.literal('s3.signed-address'),
    url: z
      .string()
      .meta({ description: 'Où envoyer les octets, en PUT, avec ces en-têtes et cette taille exacte' }),
    headers: z.record(z.string(), z.string()),
  }),
]);

/** How many bytes the form of an import has; most: those of an import that comes by the service itself. */
export const importUploadBody = z.strictObject({
  bytes: z
    .int('Dites combien d’octets seront envoyés.')
    .min(1, 'Il n’y a rien à envoyer.')
    .max(50 * 1024 * 1024, 'L’envoi dépasse 50\u00a0Mo. Envoyez les fichiers en plusieurs fois.'),
});
export const importUploadSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('blob.client-token'),
    pathname: z.string(),
    clientToken: z.string(),
    storeApiUrl: z
      .string()
      .nullable()
      .meta({ description: 'Adresse du magasin, quand ce n’est pas celle du nuage' }),
  }),
  z.object({
    type: z.literal('s3.signed-address'),
    pathname: z.string(),
    url: z.string().meta({ description: 'Où envoyer les octets, en PUT, avec ces en-têtes' }),
    headers: z.record(z.string(), z.string()),
  }),
]);
export const importUploadedBody = z.strictObject({
  pathname: z.string().max(200),
  contentType: z
    .string()
    .max(200)
    .regex(/^multipart\/form-data;/i, 'Le type attendu est multipart/form-data.')
    .meta({ description: 'Celui du formulaire, avec sa limite (boundary)' }),
});

/** What the store says, under its signature, once the file is there. */
export const uploadCompletedBody = z.looseObject({
  type: z.literal('blob.upload-completed').meta({ description: 'Ce que le magasin annonce' }),
});
export const uploadCompletedSchema = z.object({
  type: z.literal('blob.upload-completed'),
  response: z.enum(['ok', 'refused']),
});

export const imageQuery = z.object({
  productId: z
    .string()
    .max(60)
    .default('libre')
    .meta({ description: 'Produit de l’image\u00a0; par défaut libre' }),
});
export const imageBytes = z.unknown().meta({ override: { type: 'string', format: 'binary' } });

export const uploadSchema = z
  .object({
    id: z.string().meta({ description: 'À donner comme référence dans une demande' }),
    productId: z.string(),
    pathname: z.string(),
    url: z.string(),
    contentType: z.string(),
    bytes: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Upload' });

/** An upload in the words of its schema. */
export function viewUpload({
  id,
  productId,
  pathname,
  contentType,
  bytes,
  width,
  height,
  createdAt,
}: UploadRecord) {
  const url = `/api/files/${pathname.split('/').map(encodeURIComponent).join('/')}`;
  return { id, productId, pathname, url, contentType, bytes, width, height, createdAt };
}
