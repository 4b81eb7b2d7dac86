import { z } from 'zod';
import { isStorable } from '#lib/core/input/storable-text.ts';

/** Answers of GitHub's REST API (types of @octokit/openapi-types 29), read leniently. */

/** The page of a run for people; an invalid one does not discard the rest of the answer. */
const page = z.string().max(2_000).refine(isStorable).optional().catch(undefined);

export const dispatchSchema = z.object({
  workflow_run_id: z.number().int().positive(),
  html_url: page,
});

export const runSchema = z.object({
  id: z.number().int().positive(),
  status: z.string(),
  conclusion: z.string().nullish(),
  html_url: page,
});

const jobSchema = z.object({
  status: z.string(),
  conclusion: z.string().nullish(),
  started_at: z.string().nullish(),
  completed_at: z.string().nullish(),
  steps: z.array(z.unknown()).nullish(),
});

export type JobAnswer = z.output<typeof jobSchema>;

export const jobsSchema = z.object({ jobs: z.array(jobSchema) });

export const workflowSchema = z.object({ id: z.number().int().positive(), state: z.string() });
