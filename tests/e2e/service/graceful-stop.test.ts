import { once } from 'node:events';
import { request } from 'node:http';
import { expect, inject, it } from 'vitest';
import { until } from '#tests/setup/until.ts';
import { serveBeside } from '../setup/serve-beside.ts';

it('a server that is asked to stop answers the request under way first, however slow its sender, then takes no other', async () => {
  const server = await serveBeside(inject('app'), {});
  const body = 'grant_type=authorization_code';
  const sending = request(`${server.baseUrl}/api/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length },
  });
  const answered = once(sending, 'response');
  sending.write(body.slice(0, 10));
  // Once another request is answered, the first one has reached the server. A server that was held may say first that it is not ready.
  await until(
    'the server to be ready',
    async () => (await fetch(`${server.baseUrl}/api/ready`)).status === 200,
  );
  const stopped = server.stop();
  // The sender takes its time; a server that was held may not have heard yet that it is to stop.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  await until('the server to take no other', () =>
    fetch(`${server.baseUrl}/api/ready`, { headers: { connection: 'close' } }).then(
      () => false,
      () => true,
    ),
  );
  sending.end(body.slice(10));
  const [answer] = await answered;
  expect(answer.statusCode).toBe(400);
  answer.resume();
  await stopped;
});
