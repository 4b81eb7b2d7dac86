import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { download } from '#app/_cockpit/downloads/download.ts';
import { onToast, type ToastMessage } from '#app/_ui/toast.ts';

const ROOT = new URL('../../../../', import.meta.url);

afterEach(() => vi.unstubAllGlobals());

test('no link of the cockpit downloads without asking first: a browser only says that a refused file failed, or saves the refusal', () => {
  const files = globSync(['app/(cockpit)/**/*.tsx', 'app/_cockpit/**/*.tsx', 'app/_studio/**/*.tsx'], {
    cwd: ROOT,
  }).map((file) => file.split(path.sep).join('/'));
  expect(files.length).toBeGreaterThan(100);
  const direct = files.filter((file) => {
    const text = readFileSync(new URL(encodeURI(file), ROOT), 'utf8');
    return [...text.matchAll(/<(?:a|Link|LinkButton)\b(?:=>|[^>])*>/g)].some(([tag]) =>
      /\sdownload[\s>=]/.test(tag),
    );
  });
  expect(direct).toEqual(['app/_cockpit/downloads/asked-download.tsx']);
});

test('a file that is refused is told with the sentence of the service', async () => {
  const message = 'Cet export n’existe pas, ou n’est plus disponible.';
  vi.stubGlobal('fetch', async (_: string, init?: RequestInit) =>
    init?.method === 'HEAD'
      ? new Response(null, { status: 404 })
      : Response.json({ error: { code: 'not_found', message } }, { status: 404 }),
  );
  const said: ToastMessage[] = [];
  const stop = onToast((one) => said.push(one));
  await download('/api/exports/exp_gone');
  stop();
  expect(said).toMatchObject([{ title: 'Rien n’a été téléchargé', description: message, tone: 'fail' }]);
});
