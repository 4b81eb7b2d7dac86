import { expect, it } from 'vitest';
import { useBrowser } from './setup/browser.ts';

const world = useBrowser();

it('the app that npm start brings up describes its API to a browser', async () => {
  const page = await world.newPage();
  const answer = await page.request.get('/api/v1/openapi.json');
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
});
