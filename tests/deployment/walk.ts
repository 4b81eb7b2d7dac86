import { until } from '#tests/setup/until.ts';
import { wordsOf } from './child.ts';

type Walk = {
  baseUrl: string;
  publicUrl: string;
  apiKey: string;
  cookie: string;
  cronSecret: string;
  spaceId: string;
};

/** One thing that was tried, and what is wrong with it; nothing when it went well. */
export type Step = {
  what: string;
  fault?: string;
  /** Nothing was tried, and `what` says why. */
  isLeftOut?: true;
};

const MARKDOWN = '# Garantie\n\nLa lampe de lecture est garantie cinq ans, pièces et main-d’œuvre.\n';

/**
 * What a first day asks of a service, over HTTP: health, pages and their files, a Memory written, read in a context, found, imported in
 * the process apart, and a scheduled job. Each step by itself, so that one fault does not hide another.
 */
export async function walk(on: Walk): Promise<Step[]> {
  const steps: Step[] = [];
  const step = async (what: string, work: () => Promise<string | undefined>) => {
    const fault = await work().catch(wordsOf);
    steps.push({ what, ...(fault === undefined ? {} : { fault }) });
  };
  const call = (path: string, init: RequestInit = {}) =>
    fetch(on.baseUrl + path, { redirect: 'manual', signal: AbortSignal.timeout(120_000), ...init });
  const asKey = { authorization: `Bearer ${on.apiKey}` };
  const api = `/api/v1/spaces/${on.spaceId}`;

  await step('/api/health: database, migrations and store answer', async () => {
    const response = await call('/api/health');
    return response.status === 200 ? undefined : `${response.status} ${await response.text()}`;
  });
  await step('the sign-in page and every script and style that it names', async () => {
    const response = await call('/connexion');
    const html = await response.text();
    const files = [
      ...new Set([...html.matchAll(/(?:src|href)="(\/_next\/static\/[^"]+)"/g)].map(([, file]) => file)),
    ];
    if (response.status !== 200 || files.length === 0) return `${response.status}, ${files.length} files`;
    const answers = await Promise.all(files.map(async (file) => [file, (await call(file as string)).status]));
    const missing = answers.filter(([, status]) => status !== 200);
    return missing.length === 0 ? undefined : JSON.stringify(missing);
  });
  await step('a Memory is added by key, once for one Idempotency-Key', async () => {
    const add = () =>
      call(`${api}/memories`, {
        method: 'POST',
        headers: { ...asKey, 'content-type': 'application/json', 'idempotency-key': 'deployment-1' },
        body: JSON.stringify({
          pillar: 'KNOWLEDGE',
          title: 'Fabrication',
          body: 'Tout est tourné à Nantes.',
        }),
      });
    const [first, second] = [await add(), await add()];
    const bodies = [await first.text(), await second.text()];
    if (first.status !== 201 || second.status >= 300)
      return `${first.status}, ${second.status}: ${bodies[0]}`;
    return bodies[0] === bodies[1] ? undefined : 'the second answer is another';
  });
  await step('the context holds it, and its ETag is answered 304', async () => {
    const response = await call(`${api}/context`, { headers: asKey });
    if (!(await response.text()).includes('Nantes')) return `${response.status}, without the Memory`;
    const again = await call(`${api}/context`, {
      headers: { ...asKey, 'if-none-match': response.headers.get('etag') ?? '' },
    });
    return again.status === 304 ? undefined : `${again.status} in place of 304`;
  });
  await step('a file is imported by the process apart, from a browser’s session', async () => {
    const form = new FormData();
    form.set('files', new Blob([MARKDOWN], { type: 'text/markdown' }), 'garantie.md');
    const response = await call(`/api/brain/spaces/${on.spaceId}/imports`, {
      method: 'POST',
      headers: { cookie: on.cookie, origin: on.publicUrl, 'sec-fetch-site': 'same-origin' },
      body: form,
    });
    return response.status < 300 ? undefined : `${response.status} ${(await response.text()).slice(0, 300)}`;
  });
  await step('a question finds what was imported', async () => {
    const q = encodeURIComponent('combien de temps la lampe est-elle garantie ?');
    const isFound = async () => {
      const response = await call(`/api/v1/search?q=${q}`, { headers: asKey });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${response.status} ${text.slice(0, 300)}`);
      return text.includes('cinq ans');
    };
    // Once a second: a key asks 120 times a minute at most.
    await until('the imported file to be found', isFound, 1_000);
    return undefined;
  });
  await step('a session opens the cockpit; a stranger is sent to sign in', async () => {
    const inside = await call('/espaces', { headers: { cookie: on.cookie } });
    const outside = await call('/espaces');
    const seen = `${inside.status}, ${outside.status} ${outside.headers.get('location')}`;
    return inside.status === 200 && outside.headers.get('location')?.includes('/connexion')
      ? undefined
      : seen;
  });
  await step('the sweep runs for its secret alone', async () => {
    const [wrong, right] = [
      await call('/api/cron/generations-sweep', { headers: { authorization: 'Bearer nobody-knows-this' } }),
      await call('/api/cron/generations-sweep', { headers: { authorization: `Bearer ${on.cronSecret}` } }),
    ];
    return wrong.status === 401 && right.status === 200 ? undefined : `${wrong.status}, ${right.status}`;
  });
  return steps;
}
