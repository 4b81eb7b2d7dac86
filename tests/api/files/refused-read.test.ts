import { expect, test } from 'vitest';
import { ServiceError } from '#lib/core/errors.ts';
import { refusedReadPage } from '#lib/http/middleware/refused-read.ts';
import { useApi } from '#tests/setup/api.ts';

useApi();

const asked = (accept: string, method = 'GET') =>
  new Request('http://atelier.test/api/files/a', { method, headers: { accept } });
const tooMany = new ServiceError('rate_limited', { retryAfterSeconds: 7 });

test('a browser that followed a link to a download reads when to come back, on a page and in its header', async () => {
  const page = refusedReadPage(asked('text/html,*/*;q=0.8'), tooMany, 'req_1');
  expect(page?.status).toBe(429);
  expect(page?.headers.get('retry-after')).toBe('7');
  expect(page?.headers.get('vary')).toBe('Accept');
  expect(await page?.text()).toContain('Rien n’a été téléchargé');
});

test('a program, a look by HEAD and what changes something are answered in the house shape, not by that page', () => {
  for (const request of [
    asked('application/json'),
    asked('*/*'),
    asked('text/html;q=0, */*'),
    asked('text/html', 'HEAD'),
    asked('text/html', 'POST'),
  ])
    expect(refusedReadPage(request, tooMany, 'req_1')).toBeNull();
});
