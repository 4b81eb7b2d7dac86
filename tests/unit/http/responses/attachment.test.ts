import { expect, test } from 'vitest';
import { attachment } from '#lib/http/responses/attachment.ts';
import { privateFile } from '#lib/http/responses/private-file.ts';

const dispositionOf = (name: string) => attachment('', name, 'text/plain').headers.get('content-disposition');

test('a name stays one quoted name in the header, whatever width its signs are typed in', () => {
  expect(dispositionOf('Été.json')).toBe(
    `attachment; filename="Ete.json"; filename*=UTF-8''%C3%89t%C3%A9.json`,
  );
  expect(dispositionOf('\uff02')).toContain('filename="export"');
  for (const name of ['a\uff02; filename=b.html; c=\uff02.json', 'a\uff0f..\uff3cb.json'])
    expect(
      /^attachment; filename="([^"\\/]*)"; filename\*=UTF-8''[^";\s]+$/.test(dispositionOf(name) ?? ''),
      name,
    ).toBe(true);
});

test('a name ends as it is read: no change of direction nor line shows an archive as a picture', () => {
  for (const sign of ['\u202e', '\u2067', '\u200f', '\u2028', '\u0007'])
    expect(dispositionOf(`Devis${sign}gpj.zip`), sign).toBe(
      `attachment; filename="Devis gpj.zip"; filename*=UTF-8''Devis%20gpj.zip`,
    );
});

test('what one member is sent is kept by their own browser alone, if at all, and runs nothing', () => {
  const png = { contentType: 'image/png' };
  const kept = [
    attachment('texte', 'a.txt', 'text/plain'),
    privateFile('octets', { ...png, maxAgeSeconds: 0 }),
    privateFile('octets', { ...png, maxAgeSeconds: 600 }),
  ].map(({ headers }) => headers);
  expect(kept.map((headers) => headers.get('cache-control'))).toEqual([
    'private, no-store',
    'private, no-store',
    'private, max-age=600',
  ]);
  for (const headers of kept) {
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});
