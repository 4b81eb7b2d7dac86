import { generateClientTokenFromReadWriteToken } from '@vercel/blob/client';
import { z } from 'zod';
import { isId } from '#lib/core/ids.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { generationFolder } from '#lib/storage/pathnames.ts';
import { RENDER_DEADLINE_MS } from '../limits.ts';
import type { Brand } from '../templates/drawing/palette.ts';
import type { RenderFields } from '../templates/drawing/types.ts';
import { findSize, findTemplate, renderFileNames } from '../templates/registry.ts';

/** GitHub refuses inputs above 65,535 characters in all; a margin is left for its own envelope. */
const MAX_INPUTS_LENGTH = 60_000;
export const MAX_RENDER_FILE_BYTES = 20 * 1024 * 1024;

const jsonText = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);

const httpAddress = z.url({ protocol: /^https?$/ });
const fileName = z.string().regex(/^[a-z0-9][a-z0-9-]*\.png$/);

/** Inputs of the workflow, as text: exactly those that `.github/workflows/atelier-render.yml` declares. */
const inputsSchema = z.object({
  generation_id: z.string().refine((value) => isId('generation', value), 'not a generation id'),
  template: z.string().min(1).max(60),
  size: z.string().regex(/^\d{2,5}x\d{2,5}$/),
  fields: jsonText(z.record(z.string(), z.unknown())),
  brand: jsonText(
    z.object({ name: z.string(), colour: z.string(), ink: z.string(), paper: z.string() }).partial(),
  ),
  images: jsonText(z.record(z.string(), httpAddress)),
  folder: z.string(),
  uploads: jsonText(z.record(fileName, z.union([z.string().startsWith('vercel_blob_client_'), httpAddress]))),
  store_api_url: z.union([z.literal(''), httpAddress]),
  callback_url: httpAddress,
});

export type RenderJob = {
  generationId: string;
  templateId: string;
  sizeId: string;
  fields: Record<string, unknown>;
  brand: Partial<Brand>;
  /** Address of each image the fields name: signed and short-lived. */
  images: Record<string, string>;
  /** `generations/<id>/`: the row's folder. */
  folder: string;
  /** One upload token, or one signed address, per expected file name; together they open that folder's files and nothing else. */
  uploads: Record<string, string>;
  /** Empty: the store's own address. */
  storeApiUrl: string;
  callbackUrl: string;
};

export type RenderLaunch = {
  generationId: string;
  templateId: string;
  sizeId: string;
  /** Checked by `parseRenderFields`; images by reference, never inline. */
  fields: RenderFields;
  brand: Partial<Brand>;
  images: Record<string, string>;
  /** Of a Blob store: signs the tokens. */
  readWriteToken?: string;
  /** Of a store that gives addresses to write at. */
  grantWrite?: NonNullable<FileStore['grantWrite']>;
  storeApiUrl?: string;
  callbackUrl: string;
  now: Date;
};

/**
 * Inputs of the workflow for one launch. A client token of the store opens one exact pathname, so one is issued per file
 * that these fields will give (PNG only, 20 MB, never over an existing file, 100 minutes). Throws `RangeError` when too large.
 */
export async function renderInputs(launch: RenderLaunch): Promise<Record<string, string>> {
  const template = findTemplate(launch.templateId);
  const size = template && findSize(template, launch.sizeId);
  if (!template || !size) throw new RangeError('unknown template or size');
  const folder = generationFolder(launch.generationId);
  const uploads: Record<string, string> = {};
  for (const name of renderFileNames(template, launch.fields, size)) {
    // A run may wait in a queue; past the deadline nobody listens.
    const expiresAt = new Date(launch.now.getTime() + RENDER_DEADLINE_MS);
    if (launch.grantWrite) {
      const { url } = await launch.grantWrite(folder + name, { contentType: 'image/png', expiresAt });
      uploads[name] = url;
      continue;
    }
    uploads[name] = await generateClientTokenFromReadWriteToken({
      token: launch.readWriteToken ?? '',
      pathname: folder + name,
      allowedContentTypes: ['image/png'],
      maximumSizeInBytes: MAX_RENDER_FILE_BYTES,
      validUntil: expiresAt.getTime(),
      addRandomSuffix: false,
      allowOverwrite: false,
    });
  }
  const inputs = {
    generation_id: launch.generationId,
    template: launch.templateId,
    size: launch.sizeId,
    fields: JSON.stringify(launch.fields),
    brand: JSON.stringify(launch.brand),
    images: JSON.stringify(launch.images),
    folder,
    uploads: JSON.stringify(uploads),
    store_api_url: launch.storeApiUrl ?? '',
    callback_url: launch.callbackUrl,
  };
  if (JSON.stringify(inputs).length > MAX_INPUTS_LENGTH) throw new RangeError('render inputs are too large');
  return inputs;
}

/** The job in a run's inputs. Throws `TypeError` naming the inputs that are wrong, without their values. */
export function readRenderInputs(inputs: unknown): RenderJob {
  const parsed = inputsSchema.safeParse(inputs);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? 'inputs')))];
    throw new TypeError(`inputs not usable: ${names.join(', ')}`);
  }
  const data = parsed.data;
  if (data.folder !== generationFolder(data.generation_id)) throw new TypeError('inputs not usable: folder');
  return {
    generationId: data.generation_id,
    templateId: data.template,
    sizeId: data.size,
    fields: data.fields,
    brand: data.brand,
    images: data.images,
    folder: data.folder,
    uploads: data.uploads,
    storeApiUrl: data.store_api_url,
    callbackUrl: data.callback_url,
  };
}

export type RenderedFile = {
  pathname: string;
  /** Absent when the store answered that the very file was already there (a retry after a lost answer). */
  url?: string;
  bytes: number;
  contentType: 'image/png';
  /** Hex SHA-256 of the bytes: the publisher's word, to be compared with the stored file. */
  sha256: string;
};

export type RenderFailureCode = 'fields-invalid' | 'image-unreadable' | 'upload-refused' | 'draw-failed';

/** Body of the callback. */
export type RenderCallback = {
  type: 'render.finished' | 'render.failed';
  generationId: string;
  runId: string;
  status: 'success' | 'failure';
  files: RenderedFile[];
  startedAt: string;
  finishedAt: string;
  durationMs: number;
  /** Technical, in English; no secret and no field's text. */
  error?: { code: RenderFailureCode; message: string };
};
