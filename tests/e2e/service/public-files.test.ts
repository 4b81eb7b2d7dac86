import sharp from 'sharp';
import { expect, inject, it } from 'vitest';

const { baseUrl } = inject('app');
async function read(address: string) {
  const answer = await fetch(new URL(address, baseUrl), { redirect: 'manual' });
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

it('what machines ask of any site is served to anybody: robots, security, the manifest and its icons', async () => {
  expect((await read('/robots.txt')).body.toString()).toMatch(/^Disallow: \/$/m);
  const security = await read('/.well-known/security.txt');
  expect([security.status, security.type]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
  expect(security.body.toString()).toMatch(/^Contact: mailto:\S+@\S+$/m);
  expect(Number.isNaN(Date.parse(/^Expires: (\S+)$/m.exec(security.body.toString())?.[1] ?? ''))).toBe(false);
  const manifest = JSON.parse((await read('/manifest.webmanifest')).body.toString()) as {
    icons: { src: string; sizes: string; type: string }[];
  };
  const icons = [...manifest.icons, { src: '/apple-touch-icon.png', sizes: '180x180', type: 'image/png' }];
  for (const { src, sizes, type } of icons) {
    const icon = await read(src);
    expect([icon.status, icon.type], src).toEqual([200, type]);
    const { width, height } = await sharp(icon.body).metadata();
    if (sizes !== 'any') expect(`${width}x${height}`, src).toBe(sizes);
  }
});

it('every address that llms.txt gives answers', async () => {
  const { status, body } = await read('/llms.txt');
  expect(status).toBe(200);
  const addresses = [...body.toString().matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => address as string);
  expect(addresses.length).toBeGreaterThan(4);
  // The MCP server answers 401, which tells an assistant where to get a credential.
  for (const address of addresses)
    expect((await read(address)).status, address).toBe(address === '/api/mcp' ? 401 : 200);
});
