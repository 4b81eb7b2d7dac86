import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { makeDocx, paragraph } from '#tests/factories/files/docx.ts';
import config from '../../../next.config.ts';

// As a serverless function has it: only what the build was told to carry along, in a folder of its own.
const deployed = mkdtempSync(path.join(tmpdir(), 'atelier-reader-'));
afterAll(() => rmSync(deployed, { recursive: true, force: true }));

function deploy(patterns: readonly string[]): void {
  for (const pattern of patterns)
    for (const file of globSync(pattern.replace(/\/\*\*\/\*$/, ''), { cwd: repositoryRoot })) {
      mkdirSync(path.join(deployed, path.dirname(file)), { recursive: true });
      cpSync(path.join(repositoryRoot, file), path.join(deployed, file), { recursive: true });
    }
}

function read(job: object, bytes: Uint8Array): { [key: string]: unknown }[] {
  const entry = path.join(deployed, 'lib/brain/imports/child-process/reader-process.ts');
  const output = execFileSync(process.execPath, [entry], {
    cwd: deployed,
    input: Buffer.concat([Buffer.from(`${JSON.stringify(job)}\n`), bytes]),
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { NODE_ENV: 'production' },
  });
  return output
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('the reader of imports runs from the files that the build carries along, and from nothing else', async () => {
  const includes = config.outputFileTracingIncludes ?? {};
  const reader = includes['/api/brain/spaces/*/imports'];
  const carrying = Object.keys(includes).filter((route) => includes[route] === reader);
  expect(carrying).toEqual(['/api/brain/spaces/*/imports', '/espaces/*']);
  deploy(includes['/api/brain/spaces/*/imports'] ?? []);

  const page = { kind: 'page', contentType: 'text/html', finalUrl: 'https://exemple.fr/', pillar: 'ITEMS' };
  const html = Buffer.from(`<title>Lune</title><p>${'Une phrase qui dit quelque chose. '.repeat(20)}</p>`);
  expect(read(page, html)).toMatchObject([{ draft: { title: 'Lune', pillar: 'ITEMS' } }, { done: true }]);

  const form = new FormData();
  const pdf = Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
  );
  const zip = Uint8Array.from(zipSync({ 'a.md': Buffer.from('---\ntitle: Dedans\n---\nx') }));
  form.append('files', new File([zip], 'a.zip'));
  form.append('files', new File([Uint8Array.from(pdf)], 'b.pdf'));
  form.append('files', new File(['{}'], 'c.json'));
  form.append('files', new File([Uint8Array.from(makeDocx(paragraph('Calme.')))], 'd.docx'));
  form.append('files', new File(['a;b\n1;2'], 'e.csv'));
  form.append('files', new File(['<html><body><p>Page</p></body></html>'], 'f.html'));
  const request = new Response(form);
  const upload = { kind: 'upload', contentType: request.headers.get('content-type'), skipped: [] };
  const said = read(upload, new Uint8Array(await request.arrayBuffer()));
  expect(said.filter((line) => 'draft' in line)).toMatchObject([
    { draft: { title: 'Dedans' } },
    { draft: { title: 'd', body: 'Calme.' } },
    { draft: { title: 'e' } },
    { draft: { title: 'f', body: 'Page' } },
  ]);
  expect(said.filter((line) => 'refused' in line)).toHaveLength(2);
  expect(said.at(-1)).toEqual({ done: true });
});
