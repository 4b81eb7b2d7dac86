import { deepStrictEqual, strictEqual } from 'node:assert';
import { until } from '#tests/setup/until.ts';

export type Client = {
  /** The balancer's address. */
  url: string;
  publicUrl: string;
  spaceId: string;
  /** A new key each time: nobody's minute is shared between two checks. */
  createKey(): { secret: string; id: string };
  revokeKey(id: string): void;
  /** Those of traffic, made once: a member has twenty living keys at most. */
  trafficKeys(): readonly string[];
  cookie: string;
  cronSecret: string;
};

/** What a key may ask in a minute (B-166). */
const REQUESTS_PER_MINUTE = 120;

type Check = { what: string; run(on: Client): Promise<void> };

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

export function addMemory(on: Client, secret: string, key: string, title: string): Promise<Response> {
  return fetch(`${on.url}/api/v1/spaces/${on.spaceId}/memories`, {
    method: 'POST',
    headers: { ...bearer(secret), 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ pillar: 'KNOWLEDGE', title, body: `${title}, dite une fois.` }),
  });
}

async function readContext(on: Client, secret: string): Promise<string> {
  const response = await fetch(`${on.url}/api/v1/spaces/${on.spaceId}/context`, { headers: bearer(secret) });
  strictEqual(response.status, 200);
  return response.text();
}

/** Starts with a whole minute before it, so that the window does not change in the middle of what is counted. */
async function atTheBeginningOfAMinute(): Promise<void> {
  await until('the next minute to begin', () => Date.now() % 60_000 < 15_000);
}

/** What three instances must agree on, since each request goes to another of them. */
export const SHARED_STATE: readonly Check[] = [
  {
    what: 'a key’s minute is one minute for all: 120 of 150 requests pass, and another key is not held up',
    async run(on) {
      const [busy, other] = [on.createKey(), on.createKey()];
      await atTheBeginningOfAMinute();
      const ask = (secret: string) => fetch(`${on.url}/api/v1/projects`, { headers: bearer(secret) });
      const began = Math.floor(Date.now() / 60_000);
      const statuses = await Promise.all(
        Array.from({ length: 150 }, async () => (await ask(busy.secret)).status),
      );
      const victim = (await ask(other.secret)).status;
      strictEqual(Math.floor(Date.now() / 60_000), began, 'the minute ended before the requests did');
      const passed = statuses.filter((status) => status !== 429).length;
      deepStrictEqual({ passed, victim }, { passed: REQUESTS_PER_MINUTE, victim: 200 });
    },
  },
  {
    what: 'the month’s quota counts each read once, whoever answers',
    async run(on) {
      const { secret } = on.createKey();
      const used = async () =>
        (
          (await (await fetch(`${on.url}/api/v1/quota`, { headers: bearer(secret) })).json()) as {
            used: number;
          }
        ).used;
      const before = await used();
      await Promise.all(Array.from({ length: 30 }, () => readContext(on, secret)));
      strictEqual((await used()) - before, 30);
    },
  },
  {
    what: 'one Idempotency-Key sent twelve times at once makes one Memory and one answer',
    async run(on) {
      const { secret } = on.createKey();
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => addMemory(on, secret, 'three-instances', 'Une seule')),
      );
      const ids = new Set<string>();
      for (const answer of answers) {
        const body = (await answer.json()) as { id?: string; error?: { code: string } };
        if (answer.status === 409) continue;
        strictEqual([200, 201].includes(answer.status), true, JSON.stringify(body));
        ids.add(body.id ?? 'none');
      }
      // The answer holds a Memory twice: in its pillar and in the text.
      const { context } = JSON.parse(await readContext(on, secret)) as { context: string };
      deepStrictEqual(
        { ids: ids.size, held: context.split('Une seule, dite une fois.').length - 1 },
        { ids: 1, held: 1 },
      );
    },
  },
  {
    what: 'what one instance wrote is in the very next answer of the others: contexts and searches are kept, never old',
    async run(on) {
      const { secret } = on.createKey();
      for (let round = 0; round < 8; round += 1) {
        const word = `fraicheur${round}`;
        strictEqual((await addMemory(on, secret, `fresh-${round}`, word)).status, 201);
        for (let instance = 0; instance < 3; instance += 1) {
          const context = await readContext(on, secret);
          const found = await (
            await fetch(`${on.url}/api/v1/search?q=${word}`, { headers: bearer(secret) })
          ).text();
          deepStrictEqual([context.includes(word), found.includes(word)], [true, true], word);
        }
      }
    },
  },
  {
    what: 'a session opens the cockpit on each; a key that is revoked is refused by each at once',
    async run(on) {
      const { secret, id } = on.createKey();
      for (let instance = 0; instance < 3; instance += 1) {
        const page = await fetch(`${on.url}/espaces`, { headers: { cookie: on.cookie }, redirect: 'manual' });
        strictEqual(page.status, 200);
        await readContext(on, secret);
      }
      on.revokeKey(id);
      for (let instance = 0; instance < 3; instance += 1) {
        const refused = await fetch(`${on.url}/api/v1/spaces`, { headers: bearer(secret) });
        strictEqual(refused.status, 401);
      }
    },
  },
  {
    what: 'an import that one instance began tells its progress on every other, and ends with each file once',
    async run(on) {
      const files = Array.from(
        { length: 40 },
        (_, n) => [`partagee-${n}.md`, `# Partagée ${n}\n\nMot ${n}.\n`] as const,
      );
      const job = await startImport(on, files);
      const done = await followImport(on, job.id);
      deepStrictEqual(
        { state: done.state, created: done.created, total: done.total },
        { state: 'DONE', created: 40, total: 40 },
      );
    },
  },
  {
    what: 'the sweep and retention, called on every instance at once, answer each',
    async run(on) {
      const paths = ['/api/cron/generations-sweep', '/api/cron/retention'].flatMap((path) => [
        path,
        path,
        path,
      ]);
      const answers = await Promise.all(
        paths.map((path) => fetch(on.url + path, { headers: { authorization: `Bearer ${on.cronSecret}` } })),
      );
      deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    },
  },
];

export type Job = {
  id: string;
  state: string;
  created: number;
  total: number;
  done: number;
  stalled: boolean;
};

/** Sends files from a browser's session. */
export async function startImport(
  on: Client,
  files: readonly (readonly [name: string, text: string])[],
): Promise<Job> {
  const form = new FormData();
  for (const [name, text] of files) form.append('files', new Blob([text], { type: 'text/markdown' }), name);
  const response = await fetch(`${on.url}/api/brain/spaces/${on.spaceId}/imports`, {
    method: 'POST',
    headers: { cookie: on.cookie, origin: on.publicUrl, 'sec-fetch-site': 'same-origin' },
    body: form,
  });
  const body = (await response.json()) as Job;
  strictEqual(response.status, 202, JSON.stringify(body));
  return body;
}

/** Looks at an import, now on one instance, now on another, until it has ended. */
export async function followImport(on: Pick<Client, 'url' | 'cookie'>, id: string): Promise<Job> {
  let best = 0;
  const backwards: string[] = [];
  const ended = await until(
    'the import to end',
    async () => {
      const answer = await fetch(`${on.url}/api/brain/imports/${id}`, { headers: { cookie: on.cookie } });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`it answers ${answer.status} ${text.slice(0, 300)}`);
      const job = JSON.parse(text) as Job;
      if (job.done < best) backwards.push(`its progress went back from ${best} to ${job.done}`);
      best = job.done;
      if (job.state === 'RUNNING') throw new Error(`${job.done} of ${job.total} are done`);
      return job;
    },
    200,
  );
  deepStrictEqual(backwards, []);
  return ended;
}
