import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { read } from './read-documents.ts';

describe('a text of another time', () => {
  const encoded = (text: string, bytes: Record<string, number>) =>
    Uint8Array.from([...text].map((character) => bytes[character] ?? character.charCodeAt(0)));
  const windows = (text: string) => encoded(text, { '€': 0x80, '’': 0x92 });
  const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

  it('is read in Windows-1252, as Excel and older programs save it, and in UTF-16', async () => {
    const page = '<html><head><meta charset="iso-8859-1"></head><body><p>Déjà vu.</p></body></html>';
    const { drafts, refused } = await read({
      'prix.csv': windows('Modèle;Prix\r\nL’été;24 €'),
      'page.html': windows(page),
      'ton.md': windows('# Ton\n\nDéjà vu.'),
      'wide.txt': wide('Déjà vu.'),
      'swapped.txt': wide('Déjà vu.').swap16(),
    });
    expect(refused).toEqual([]);
    expect(new Map(drafts.map(({ key, body }) => [key, body]))).toEqual(
      new Map([
        ['prix.csv', '| Modèle | Prix |\n| --- | --- |\n| L’été | 24 € |'],
        ['page.html', 'Déjà vu.'],
        ['ton.md', 'Déjà vu.'],
        ['wide.txt', 'Déjà vu.'],
        ['swapped.txt', 'Déjà vu.'],
      ]),
    );
  });

  it('is read as a Mac or DOS saved it, and in UTF-16 that does not say so', async () => {
    const text = 'Modèle;Prix\nÉté à Nîmes;24\nL’écrin;déjà vu, peut-être';
    const mac = encoded(text, { É: 0x83, à: 0x88, è: 0x8f, é: 0x8e, ê: 0x90, î: 0x94, '’': 0xd5 });
    const dosText = text.replace('’', "'");
    const dos = encoded(dosText, { É: 0x90, à: 0x85, è: 0x8a, é: 0x82, ê: 0x88, î: 0x8c });
    const { drafts, refused } = await read({
      'mac.csv': mac,
      'mac.txt': mac.map((byte) => (byte === 0x0a ? 0x0d : byte)),
      'dos.txt': dos,
      'wide.txt': Buffer.from(text, 'utf16le'),
      'swapped.txt': Buffer.from(text, 'utf16le').swap16(),
      'page.html': Buffer.from(`<meta charset="utf-16"><p>${text}</p>`, 'utf16le'),
    });
    expect(refused).toEqual([]);
    const table = '| Modèle | Prix |\n| --- | --- |\n| Été à Nîmes | 24 |\n| L’écrin | déjà vu, peut-être |';
    expect(Object.fromEntries(drafts.map(({ key, body }) => [key, body]))).toEqual({
      'mac.csv': table,
      'mac.txt': text,
      'dos.txt': dosText,
      'wide.txt': text,
      'swapped.txt': text,
      'page.html': text.replaceAll('\n', ' '),
    });
  });

  it('in Windows-1252 stays so, whatever of its signs are letters on a Mac or in DOS', async () => {
    const text = 'Žižek dit : « l’œuvre… » — 5‰, SOCIÉTÉ GÉNÉRALE, NÕES; à l’été, “cœur”ˆ';
    const bytes = encoded(text, {
      Ž: 0x8e,
      ž: 0x9e,
      '’': 0x92,
      œ: 0x9c,
      '…': 0x85,
      '—': 0x97,
      '‰': 0x89,
      '“': 0x93,
      '”': 0x94,
      ˆ: 0x88,
    });
    const { drafts } = await read({ 'texte.txt': bytes });
    expect(drafts.map(({ body }) => body)).toEqual([text]);
  });

  it('is refused when it is damaged UTF-8, or bytes that no text has', async () => {
    const { drafts, refused } = await read({
      'damaged.md': Uint8Array.from([...strToU8('Une idée, déjà, bien longue.'), 0xc3]),
      'table.csv': Uint8Array.from([...windows('Modèle;Prix'), 0x01]),
      'odd.txt': Uint8Array.from([0xff, 0xfe, 0x41]),
    });
    expect(drafts).toEqual([]);
    const reason =
      'Le texte de ce fichier n’a pas pu être lu\u00a0: il est abîmé, ou dans un codage qui n’est pas reconnu. Enregistrez-le en UTF-8, puis importez-le de nouveau.';
    expect(refused.map(({ path }) => path).sort()).toEqual(['damaged.md', 'odd.txt', 'table.csv']);
    expect(refused.every((one) => one.reason === reason)).toBe(true);
  });

  it('is refused as an export of ours when it is not UTF-8: it is to be imported as it was exported', async () => {
    const { refused } = await read({ 'espace.json': windows('{"name": "Été"}') });
    expect(refused).toEqual([
      {
        path: 'espace.json',
        reason:
          'Ce fichier n’est pas en UTF-8\u00a0: importez-le tel qu’il a été exporté, ou enregistrez-le en UTF-8.',
      },
    ]);
  });
});

describe('what cannot be kept', () => {
  const exported = (fields: string) => `---\natelier: 1\ntitle: T\nsource: API\n${fields}\n---\nTexte.`;

  it('is refused alone, wherever it stands: an identifier or a type with a NUL, a path longer than an index takes', async () => {
    const long = `${'é'.repeat(1_300)}.md`;
    const { drafts, refused } = await read({
      'bon.md': exported('id: mem_1'),
      'identifiant.md': exported('id: "a\\0b"'),
      'type.md': exported('id: mem_2\nfile: { name: n, contentType: "a\\0b", bytes: 1 }'),
      [long]: 'Texte.',
    });
    expect(drafts.map(({ id }) => id)).toEqual(['mem_1']);
    expect(new Map(refused.map(({ path, reason }) => [path, reason]))).toEqual(
      new Map([
        ['identifiant.md', 'Ce texte contient des caractères qui ne peuvent pas être gardés.'],
        ['type.md', 'Ce texte contient des caractères qui ne peuvent pas être gardés.'],
        [long, 'Le chemin ou l’identifiant de ce texte est trop long.'],
      ]),
    );
  });
});
