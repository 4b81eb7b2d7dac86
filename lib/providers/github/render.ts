import type { Budgets } from '../budgets.ts';
import type {
  CallOptions,
  ProviderFailure,
  ProviderMode,
  RenderDispatch,
  RenderDispatched,
  RenderRunner,
  RenderStatus,
} from '../ports.ts';
import { traced } from '../trace.ts';
import { badAnswer, jsonOf, notConfigured, send, type Wiring } from '../transport.ts';
import { isBlackout } from './blackout.ts';
import { dispatchSchema, jobsSchema, runSchema, workflowSchema } from './schemas.ts';

const GITHUB_ORIGIN = 'https://api.github.com';

type GitHubClient = Wiring & {
  token: string | undefined;
  /** `owner/name`. */
  repository: string | undefined;
  /** File name of the workflow. */
  workflow: string;
  /** Branch or tag that the workflow runs on. */
  ref: string;
};

/** Template renders on GitHub Actions. */
export function createRenderRunner(client: GitHubClient, budgets: Budgets, mode: ProviderMode): RenderRunner {
  return {
    dispatch: (request, options = {}) =>
      traced({ mode, capability: 'render.dispatch' }, () =>
        dispatch(client, budgets.renderDispatch, request, options),
      ),
    status: (runId, options = {}) =>
      traced({ mode, capability: 'render.status' }, () =>
        status(client, budgets.renderStatus, runId, options),
      ),
    workflow: (options = {}) => findWorkflow(client, budgets.renderStatus, options),
  };
}

async function dispatch(
  client: GitHubClient,
  budgetMs: number,
  request: RenderDispatch,
  options: CallOptions,
): Promise<RenderDispatched | ProviderFailure> {
  const answer = await ask(client, budgetMs, options, {
    method: 'POST',
    path: `/actions/workflows/${encodeURIComponent(client.workflow)}/dispatches`,
    json: { ref: client.ref, inputs: request.inputs, return_run_details: true },
    repeatable: false,
  });
  if (answer.outcome === 'failed') return answer;
  if (answer.status === 204) return { outcome: 'dispatched' };
  const parsed = dispatchSchema.safeParse(answer.json);
  // Unlike the 204 above, this answer may not be GitHub's, and the row would hold its reserve for 100 minutes. If a run did begin, nobody is debited
  // for it, and what it publishes is deleted with its closed row.
  if (!parsed.success) return badAnswer('the dispatch answer holds no run');
  return {
    outcome: 'dispatched',
    runId: String(parsed.data.workflow_run_id),
    ...(parsed.data.html_url ? { runUrl: parsed.data.html_url } : {}),
  };
}

async function status(
  client: GitHubClient,
  budgetMs: number,
  runId: string,
  options: CallOptions,
): Promise<RenderStatus | ProviderFailure> {
  if (!/^\d{1,20}$/.test(runId)) return badAnswer('the kept run id is not one');
  const answer = await ask(client, budgetMs, options, {
    method: 'GET',
    path: `/actions/runs/${runId}`,
    repeatable: true,
  });
  if (answer.outcome === 'failed') return answer;
  const run = runSchema.safeParse(answer.json);
  if (!run.success || String(run.data.id) !== runId)
    return badAnswer('the run answer is not what its schema says');
  const place = run.data.html_url ? { runUrl: run.data.html_url } : {};
  if (run.data.status !== 'completed') return { outcome: 'running', ...place };
  const conclusion = run.data.conclusion ?? 'unknown';
  if (conclusion === 'success') return { outcome: 'succeeded', ...place };
  const blackout =
    conclusion === 'failure' || conclusion === 'startup_failure'
      ? await ranWithoutAStep(client, budgetMs, runId, options)
      : false;
  return { outcome: 'run-failed', conclusion, blackout, ...place };
}

/** GitHub answers alike for a missing run and a repository that the token may not see: the workflow itself is requested. */
async function findWorkflow(
  client: GitHubClient,
  budgetMs: number,
  options: CallOptions,
): Promise<{ outcome: 'found' } | ProviderFailure> {
  const answer = await ask(client, budgetMs, options, {
    method: 'GET',
    path: `/actions/workflows/${encodeURIComponent(client.workflow)}`,
    repeatable: true,
  });
  if (answer.outcome === 'failed') return answer;
  return workflowSchema.safeParse(answer.json).success
    ? { outcome: 'found' }
    : badAnswer('the workflow answer is not what its schema says');
}

/** Jobs that cannot be read leave the run an ordinary failure: `quota` is said only when seen. */
async function ranWithoutAStep(
  client: GitHubClient,
  budgetMs: number,
  runId: string,
  options: CallOptions,
): Promise<boolean> {
  const answer = await ask(client, budgetMs, options, {
    method: 'GET',
    path: `/actions/runs/${runId}/jobs?filter=latest&per_page=100`,
    repeatable: true,
  });
  if (answer.outcome === 'failed') return false;
  const jobs = jobsSchema.safeParse(answer.json);
  return jobs.success && isBlackout(jobs.data.jobs);
}

async function ask(
  client: GitHubClient,
  budgetMs: number,
  options: CallOptions,
  request: { method: 'GET' | 'POST'; path: string; json?: unknown; repeatable: boolean },
): Promise<{ outcome: 'answered'; status: number; json: unknown } | ProviderFailure> {
  if (!client.repository) return notConfigured('SERVICE_RENDER_REPOSITORY');
  if (!client.token) return notConfigured('SERVICE_RENDER_DISPATCH_TOKEN');
  const answer = await send(
    client,
    {
      method: request.method,
      url: `${GITHUB_ORIGIN}/repos/${client.repository}${request.path}`,
      headers: {
        authorization: `Bearer ${client.token}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': 'atelier',
      },
      ...(request.json === undefined ? {} : { json: request.json }),
      repeatable: request.repeatable,
      maxBytes: 4 * 1024 * 1024,
    },
    budgetMs,
    options,
  );
  if (answer.outcome === 'failed') return answer;
  return { outcome: 'answered', status: answer.status, json: jsonOf(answer.bytes) };
}
