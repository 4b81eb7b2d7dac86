import sharp from 'sharp';
import { expect, inject, it } from 'vitest';
import { cookieOf } from '../setup/account.ts';

const app = inject('app');

it('the app that npm start brings up describes its API', async () => {
  const answer = await fetch(`${app.baseUrl}/api/v1/openapi.json`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
});

it('its session makes an image and a pictogram that decode, each held then debited in a statement that sums', async () => {
  const cookie = await cookieOf(app);
  const ask = (path: string, body?: object) =>
    fetch(app.baseUrl + path, {
      headers: { cookie: `${cookie.name}=${cookie.value}`, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
  type Row = {
    id: string;
    status: string;
    charge: string;
    costUsd: number;
    files: { url: string; width: number }[];
  };
  for (const [kind, format] of [
    ['image', 'png'],
    ['vector', 'svg'],
  ] as const) {
    const answer = await ask('/api/generations', { kind, brief: 'Une bougie sur une table en chêne' });
    expect(answer.status).toBe(201);
    const row = (await answer.json()) as Row;
    expect(row).toMatchObject({ status: 'done', charge: 'settled' });
    const file = Buffer.from(await (await ask(row.files[0]?.url ?? '')).arrayBuffer());
    expect((await sharp(file).metadata()).format).toBe(format);
    expect((await sharp(file).stats()).channels.length).toBeGreaterThanOrEqual(3);
    const statement = await (
      await ask(`/api/wallet/statement?month=${new Date().toISOString().slice(0, 7)}`)
    ).text();
    const lines = statement
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(';'));
    const micros = (text = '') => Math.round(Number(text.replace(',', '.')) * 1e6);
    const mine = lines.filter((cells) => cells[6] === row.id);
    expect(mine.map((cells) => cells[1])).toEqual(['Montant retenu', 'Débité']);
    expect(mine.reduce((sum, cells) => sum + micros(cells[2]), 0)).toBe(-Math.round(row.costUsd * 1e6));
    expect(mine.reduce((sum, cells) => sum + micros(cells[3]), 0)).toBe(0);
  }
});
