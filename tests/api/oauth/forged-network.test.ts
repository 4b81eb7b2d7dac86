import { expect, test } from 'vitest';
import { POST as register } from '#app/api/oauth/register/route.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';

useApi();

/** A registration from a connection; `forged` is what its sender writes into the headers. */
async function register20(peer: string, forged: (n: number) => Record<string, string>, times: number) {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const response = await register(
      new Request(`${ORIGIN}/api/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-atelier-peer': peer, ...forged(n) },
        body: JSON.stringify({ client_name: `${peer} ${n}`, redirect_uris: ['https://a.exemple/r'] }),
      }),
    );
    if (response.status === 429)
      expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' });
    statuses.push(response.status);
  }
  return statuses;
}

/** What `ask` hears within one minute. An allowance is of a minute: what a slow machine asks across two of them is asked again by another stranger. */
async function withinOneMinute(ask: (stranger: number) => Promise<number[]>): Promise<number[]> {
  const minute = () => Math.floor(Date.now() / 60_000);
  let heard: number[] = [];
  for (let began = -1, stranger = 7; began !== minute(); stranger += 1) {
    began = minute();
    heard = await ask(stranger);
  }
  return heard;
}

test('a stranger who forges addresses gets no fresh allowance, and uses up nobody else’s', async () => {
  const victim = '203.0.113.50';
  const forged = await withinOneMinute((stranger) =>
    register20(`198.51.100.${stranger}`, (n) => ({ 'x-forwarded-for': n % 2 ? `6.6.6.${n}` : victim }), 25),
  );
  expect(forged.filter((status) => status === 201)).toHaveLength(20);
  expect(forged.slice(20)).toEqual(Array(5).fill(429));
  expect(await register20(victim, () => ({}), 1)).toEqual([201]);
});

test('the thousands of networks of one IPv6 subscription have one allowance: two thousand clients, and nobody else’s new one would be kept', async () => {
  const own = await withinOneMinute((stranger) =>
    register20('2001:db8::', (n) => ({ 'x-atelier-peer': `2001:db8:${stranger}:${n}::1` }), 25),
  );
  expect(own.slice(20)).toEqual(Array(5).fill(429));
  expect(await register20('2001:db8:99:1::1', () => ({}), 1)).toEqual([201]);
});
