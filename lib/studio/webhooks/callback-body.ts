import { z } from 'zod';
import { unstorableText } from '#lib/core/input/storable-text.ts';
import type { RenderReport } from '../jobs/render-outcome.ts';

/** What a run reports in its callback. */
export const renderCallbackBody = z.object({
  generationId: z.string().min(1).max(64),
  runId: z.string().min(1).max(64),
  status: z.enum(['success', 'failure']),
  // Bounded here too: a manifest of thousands is a fault of the run, told as such.
  files: z
    .array(
      z.object({
        pathname: z.string().max(1024),
        sha256: z.string().max(128).optional(),
        bytes: z.number().optional(),
        contentType: z.string().max(100).optional(),
      }),
    )
    .max(10_000),
  durationMs: z.number(),
  error: z.object({ code: z.string().max(60) }).optional(),
});

/** The report in a callback's body, or null when it is none. */
export function readCallbackBody(rawBody: string): RenderReport | null {
  let json: unknown;
  try {
    json = JSON.parse(rawBody);
  } catch {
    return null;
  }
  if (unstorableText(json)) return null;
  const parsed = renderCallbackBody.safeParse(json);
  if (!parsed.success) return null;
  const { error, ...report } = parsed.data;
  return { ...report, ...(error ? { errorCode: error.code } : {}) };
}
