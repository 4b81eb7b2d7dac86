import { recordedJson } from '../fixtures/recorded-files.ts';
import type { RecordedRequest } from '../fixtures/recorded-request.ts';
import { jsonAnswer, type RecordedErrors, recordedError, startError } from '../fixtures/recorded-results.ts';
import { brokenRule } from '../fixtures/refusal-rule.ts';
import { SCENARIOS, type Scenario } from '../fixtures/scenarios.ts';
import { GITHUB_REFUSALS } from './recorded-rules.ts';

type Answers = Record<
  'dispatch' | 'running' | 'succeeded' | 'failed' | 'failedJobs' | 'blackoutJobs' | 'nonsense',
  Record<string, unknown>
> & { errors: RecordedErrors };

/** GitHub Actions, from recorded answers. A run id carries when it is ready and what happens to it. */
export async function answerGitHub(request: RecordedRequest): Promise<Response> {
  const answers = await recordedJson<Answers>('github', 'actions.json');
  const broken = brokenRule(GITHUB_REFUSALS, request, '');
  if (broken) return jsonAnswer({ message: broken.says, status: String(broken.status) }, broken.status);
  const route = /^\/repos\/([^/]+\/[^/]+)\/actions\/(.+)$/.exec(request.url.pathname);
  if (!route) return recordedError(answers.errors, 'not-found');
  const [, repository = '', rest = ''] = route;
  const page = `https://github.com/${repository}/actions/runs`;
  if (request.method === 'POST' && /^workflows\/[^/]+\/dispatches$/.test(rest)) {
    const failed = startError(answers.errors, request.scenario);
    if (failed) return failed;
    if (request.scenario === 'bad-answer') return jsonAnswer(answers.nonsense);
    // Not asked to tell of the run, it says nothing.
    if (!(request.json as { return_run_details?: boolean }).return_run_details)
      return new Response(null, { status: 204 });
    const id = request.readyAtMs * 100 + SCENARIOS.indexOf(request.scenario);
    return jsonAnswer({ workflow_run_id: id, run_url: request.url.href, html_url: `${page}/${id}` });
  }
  if (request.method !== 'GET') return recordedError(answers.errors, 'not-found');
  const run = /^runs\/(\d+)(\/jobs)?$/.exec(rest);
  if (!run) return recordedError(answers.errors, 'not-found');
  const id = Number(run[1]);
  const scenario: Scenario = SCENARIOS[id % 100] ?? 'success';
  if (run[2]) return jsonAnswer(scenario === 'blackout' ? answers.blackoutJobs : answers.failedJobs);
  if (scenario === 'video-nonsense') return jsonAnswer(answers.nonsense);
  const ready = request.nowMs >= Math.floor(id / 100) && scenario !== 'video-never';
  const failed = scenario === 'blackout' || scenario === 'run-failed';
  const answer = !ready ? answers.running : failed ? answers.failed : answers.succeeded;
  return jsonAnswer({ ...answer, id, html_url: `${page}/${id}` });
}
