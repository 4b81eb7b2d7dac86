import { expect, test } from 'vitest';
import { attachment } from '#lib/http/responses/attachment.ts';
import { safeFileHeaders } from '#lib/storage/serving/file-headers.ts';

const parameter = (disposition: string | null | undefined) => disposition?.split("filename*=UTF-8''")[1];

test('a name is encoded the same way in the header of a stored file and of an export', () => {
  const name = "L'été (n° 2).mp4";
  const stored = safeFileHeaders({ pathname: `gen/${name}`, contentType: 'video/mp4', download: true });
  const exported = attachment('', name, 'video/mp4').headers.get('content-disposition');
  expect(parameter(stored['Content-Disposition'])).toBe('L%27%C3%A9t%C3%A9%20%28n%C2%B0%202%29.mp4');
  expect(parameter(exported)).toBe(parameter(stored['Content-Disposition']));
});
