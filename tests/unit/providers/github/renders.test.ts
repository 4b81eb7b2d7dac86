import { describe, expect, test } from 'vitest';
import { json, liveProviders, ours, SECRETS, scriptedNetwork } from '../calls.ts';

describe('requests to the other services', () => {
  test('GitHub: a dispatch that asks for the run’s details', async () => {
    expect(await ours((p) => p.render.dispatch({ inputs: { generation: 'gen_1' } }))).toEqual({
      method: 'POST',
      url: 'https://api.github.com/repos/atelier/renders/actions/workflows/atelier-render.yml/dispatches',
      headers: {
        authorization: `Bearer ${SECRETS.github}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': 'atelier',
        'content-type': 'application/json',
      },
      body: { ref: 'main', inputs: { generation: 'gen_1' }, return_run_details: true },
    });
  });
});

describe('what a 2xx answer is worth', () => {
  test('what is told of another run is no status of the one that was asked about', async () => {
    const run = { id: 42, status: 'completed', conclusion: 'cancelled', html_url: null };
    const { render } = liveProviders(scriptedNetwork(json(run)).fetch);
    expect(await render.status('42')).toMatchObject({ outcome: 'run-failed', conclusion: 'cancelled' });
    expect(await render.status('43')).toMatchObject({ outcome: 'failed', reason: 'bad-answer' });
  });

  test('a run whose page is not told is a run all the same', async () => {
    const network = scriptedNetwork(json({ workflow_run_id: 17_952_553, html_url: null }));
    expect(await liveProviders(network.fetch).render.dispatch({ inputs: {} })).toEqual({
      outcome: 'dispatched',
      runId: '17952553',
    });
  });
});
