import { z } from 'zod';

/** Answers of GitHub's REST API (types of @octokit/openapi-types 29), read leniently. */

export const dispatchSchema = z.object({
  workflow_run_id: z.number().int().positive(),
  html_url: z.string().optional(),
});

export const runSchema = z.object({
  id: z.number().int().positive(),
  status: z.string(),
  conclusion: z.string().nullish(),
  html_url: z.string().optional(),
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
