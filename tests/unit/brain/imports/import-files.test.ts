import { crc32 } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { unpack } from '#lib/brain/imports/documents/unpack.ts';
import { parseHtmlPage } from '#lib/brain/imports/parse/html.ts';
import { parsePage } from '#lib/brain/imports/parse/page.ts';
import { parsePdf } from '#lib/brain/imports/parse/pdf.ts';
import { readZip, type ZipLimits } from '#lib/brain/imports/parse/zip.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a web page', () => {
  const long = 'Une phrase qui dit quelque chose de la maison. '.repeat(8);

  it('gives its main text as Markdown, without navigation, scripts, forms or what is hidden', () => {
    const html = `<!doctype html><html><head><title>Accueil | Lune</title><style>p{}</style></head><body>
      <nav>Menu</nav><main><h1>La <em>maison</em></h1><p>${long}</p><p hidden>Caché</p>
      <ul><li>Un<ul><li>Dedans</li></ul></li><li>Deux</li></ul><ol><li>a</li><li>b</li></ol>
      <blockquote><p>Dit-elle</p></blockquote><pre><code>x = 1
  y</code></pre><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2|3</td></tr></table>
      <p>Voir <a href="/prix">les prix</a>, <a href="javascript:alert(1)">rien</a> et <b> gras </b>.<br>Fin</p>
      <form>Nom <input></form><script>alert('x')</script></main><footer>Pied</footer></body></html>`;
    const page = parseHtmlPage({ html, url: 'https://lune.example/a/' });
    expect(page).toEqual({
      ok: true,
      title: 'Accueil | Lune',
      text: [
        '# La *maison*',
        long.trim(),
        '- Un\n  - Dedans\n- Deux',
        '1. a\n2. b',
        '> Dit-elle',
        '```\nx = 1\n  y\n```',
        '| A | B |\n| --- | --- |\n| 1 | 2\\|3 |',
        'Voir [les prix](https://lune.example/prix), rien et **gras** .\nFin',
      ].join('\n\n'),
    });
  });

  it('reads the whole body when there is no main text, and og:title first', () => {
    const html =
      '<meta property="og:title" content="Titre social"><title>T</title><div>Bonjour <span>toi</span></div>';
    expect(parseHtmlPage({ html })).toEqual({ ok: true, title: 'Titre social', text: 'Bonjour toi' });
  });

  it('is read where something stands between its head and its body, as what counts visits does', () => {
    const head = '<!doctype html><html lang="fr"><head><title>Lune</title></head><script>visites()</script>';
    for (const html of [
      `${head}<body><p>Bonjour.</p></body></html>`,
      `${head}<body><article><p>${long}</p><p>${long}</p></article></body></html>`,
    ])
      expect(parseHtmlPage({ html })).toMatchObject({ ok: true, title: 'Lune' });
  });

  it('keeps the header of the main text, a form around the whole page, and the first heading beside another title', async () => {
    const header = '<header><h1>Titre</h1><p>Chapeau.</p></header>';
    const main = `<header>Logo</header><main>${header}<p>${long}</p></main>`;
    expect(parseHtmlPage({ html: main })).toMatchObject({ text: `# Titre\n\nChapeau.\n\n${long.trim()}` });
    expect(parseHtmlPage({ html: '<form><h1>Lumen</h1><p>Texte.</p></form>' })).toMatchObject({
      text: '# Lumen\n\nTexte.',
    });
    const html = '<title>Accueil | Lune</title><h1>La maison</h1><p>Depuis 1998.</p>';
    const page = { bytes: bytes(html), contentType: 'text/html', charset: undefined };
    const read = await parsePage({ ...page, finalUrl: 'https://lune.example/' }, 'KNOWLEDGE');
    expect(read).toMatchObject({
      drafts: [{ title: 'Accueil | Lune', body: '# La maison\n\nDepuis 1998.' }],
    });
  });

  it('that declares no charset is read in UTF-8, else as older programs save it', async () => {
    const html = '<title>Été</title><p>Déjà vu, une idée.</p>';
    for (const encoding of ['utf8', 'latin1'] as const) {
      const page = { bytes: Buffer.from(html, encoding), contentType: 'text/html', charset: undefined };
      const read = await parsePage({ ...page, finalUrl: 'https://lune.example/' }, 'KNOWLEDGE');
      expect(read).toMatchObject({ drafts: [{ title: 'Été', body: 'Déjà vu, une idée.' }] });
    }
  });

  it('is refused without text, beyond 50,000 elements or 1,000 levels, and read just below', () => {
    expect(parseHtmlPage({ html: '<script>x</script>' })).toMatchObject({ ok: false });
    expect(parseHtmlPage({ html: `a${'<div>'.repeat(990)}b` })).toMatchObject({ ok: true, text: 'a\n\nb' });
    expect(parseHtmlPage({ html: `a${'<div>'.repeat(100_000)}b` })).toMatchObject({
      ok: false,
      reason: 'Cette page est trop complexe pour être lue.',
    });
    expect(parseHtmlPage({ html: '<p>x</p>'.repeat(50_001) })).toMatchObject({ ok: false });
    expect(parseHtmlPage({ html: '<constructor>x</constructor>' })).toMatchObject({ text: 'x' });
    expect(parseHtmlPage({ html: '<p>x</p>'.repeat(20_000) })).toMatchObject({ ok: true });
  });
});

/** A PDF of one page with this content stream and a cross-reference table. */
function pdf(stream: string, info = ''): Uint8Array {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<<${info}>>`,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj${object}endobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return bytes(
    `${text}trailer<</Size ${objects.length + 1}/Root 1 0 R/Info 6 0 R>>\nstartxref\n${xref}\n%%EOF`,
  );
}

describe('a PDF', () => {
  it('gives its text and title', async () => {
    const withText = pdf('BT /F1 24 Tf 50 200 Td (Bonjour la maison) Tj ET', '/Title(Le guide)');
    const copy = Uint8Array.from(withText);
    expect(await parsePdf({ name: 'a.pdf', bytes: withText })).toEqual({
      ok: true,
      title: 'Le guide',
      text: 'Bonjour la maison',
    });
    expect(withText).toEqual(copy);
    expect(
      await parsePdf({ name: '02-notre-charte.pdf', bytes: pdf('BT /F1 9 Tf (x) Tj ET') }),
    ).toMatchObject({
      title: 'Notre charte',
    });
  });

  it('is refused in French when it holds no text or is no PDF', async () => {
    expect(await parsePdf({ name: 'a.pdf', bytes: pdf('0 0 m 10 10 l S') })).toEqual({
      ok: false,
      reason: 'Ce PDF ne contient pas de texte : c’est sans doute un document numérisé.',
    });
    expect(await parsePdf({ name: 'a.pdf', bytes: bytes('bonjour') })).toEqual({
      ok: false,
      reason: 'Ce fichier n’est pas un PDF lisible.',
    });
  });
});

describe('a zip archive', () => {
  const limits: ZipLimits = { maxEntries: 3, maxEntryBytes: 1000, maxTotalBytes: 1500 };
  const reason = async (archive: Uint8Array) => {
    const read = await readZip(archive, limits);
    return read.ok ? null : read.reason;
  };

  it('bytes after the end of an archive are not read: a line break, or what a mail gateway fills up with', async () => {
    const archive = zipSync({ 'a.md': Buffer.from('un') });
    for (const tail of ['\n', '\0'.repeat(1_000), 'PK\x05\x06'])
      expect(await readZip(Buffer.concat([archive, Buffer.from(tail)]), limits)).toMatchObject(
        tail.startsWith('PK') ? { ok: false } : { ok: true, entries: [{ path: 'a.md' }] },
      );
    expect(await readZip(archive.subarray(0, -1), limits)).toMatchObject({ ok: false });
  });

  it('gives its files, stored or deflated, folders left out', async () => {
    const archive = zipSync({
      'a/é.md': [bytes('x'.repeat(500)), { level: 0 }],
      'b.md': bytes('y'.repeat(500)),
      'c/': new Uint8Array(),
    });
    expect(await readZip(archive, limits)).toEqual({
      ok: true,
      entries: [
        { path: 'a/é.md', bytes: Buffer.from('x'.repeat(500)) },
        { path: 'b.md', bytes: Buffer.from('y'.repeat(500)) },
      ].map(({ path, bytes: content }) => ({ path, bytes: expect.toSatisfy((got) => content.equals(got)) })),
    });
  });

  it('is refused when it declares too much: entries, one entry, all together', async () => {
    expect(await reason(zipSync({ a: bytes('x'.repeat(1001)) }))).toMatch(/dépasse la taille/);
    expect(await reason(zipSync({ a: bytes('x'.repeat(900)), b: bytes('y'.repeat(900)) }))).toMatch(
      /dépasse la taille/,
    );
    expect(
      await reason(zipSync(Object.fromEntries('abcd'.split('').map((name) => [name, bytes(name)])))),
    ).toMatch(/plus de 3/);
  });

  it('shares 64 MB with the others of its import: the one that passes them is refused, and those before it are read', async () => {
    const archive = zipSync({ 'un.md': new Uint8Array(15 * 1024 * 1024) }, { level: 1 });
    const files = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name: `${name}.zip`, bytes: archive }));
    const refused: { path: string; reason: string }[] = [];
    const found = await unpack(files, { begin: undefined }, refused);
    expect(found.map(({ name }) => name)).toEqual(['un.md']);
    expect(refused).toEqual([{ path: 'e.zip', reason: expect.stringMatching(/pèsent 64\s*Mo au plus/) }]);
  });

  it('is refused when an entry inflates to more than it declares', async () => {
    const archive = zipSync({ a: new Uint8Array(5_000_000) });
    const central = Buffer.from(archive).indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    const view = new DataView(archive.buffer, archive.byteOffset);
    expect(view.getUint32(central, true)).toBe(0x02014b50);
    view.setUint32(central + 24, 10, true);
    expect(await reason(archive)).toMatch(/dépasse la taille/);
  });

  it('is refused with a name that leaves its folder, a wrong checksum, or a cut at any byte', async () => {
    for (const name of ['../a', 'a/../../b', '/etc/a', 'C:/a', 'a\\..\\b']) {
      expect(await reason(zipSync({ [name]: bytes('x') }))).toMatch(/nom de fichier dangereux/);
    }
    const archive = zipSync({ a: [bytes('bonjour'), { level: 0 }] });
    const damaged = Uint8Array.from(archive);
    damaged[31] = (damaged[31] ?? 0) ^ 1;
    expect(await reason(damaged)).toMatch(/abîmé/);
    for (let length = 0; length < archive.length; length++)
      expect(await reason(archive.slice(0, length))).not.toBeNull();
  });

  it('is read with the names that other tools write: UTF-8 untold, code page 850, and zip64 sizes', async () => {
    const archive = zipSync({ 'aXXb.md': [bytes('bonjour'), { level: 0 }] });
    const named = (first: number, second: number) => {
      const changed = Buffer.from(archive);
      for (let at = changed.indexOf('XX'); at !== -1; at = changed.indexOf('XX'))
        changed.set([first, second], at);
      return changed;
    };
    const path = async (zip: Uint8Array) => {
      const read = await readZip(zip, limits);
      return read.ok ? read.entries.map((entry) => entry.path) : read.reason;
    };
    expect(await path(named(0xc3, 0xa9))).toEqual(['aéb.md']);
    expect(await path(named(0x82, 0x85))).toEqual(['aéàb.md']);
    // French capitals, at codes where code page 437 has box-drawing characters.
    expect(await path(named(0xb7, 0xd2))).toEqual(['aÀÊb.md']);
    expect(await path(zip64('a.md', 'bonjour'))).toEqual(['a.md']);
  });
});

/** An archive with one stored file whose sizes are in the zip64 field of its entry, as streaming tools write them. */
function zip64(name: string, content: string): Uint8Array {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt32LE(crc32(content), 14);
  local.writeUInt32LE(content.length, 18);
  local.writeUInt32LE(content.length, 22);
  local.writeUInt16LE(name.length, 26);
  const extra = Buffer.alloc(20);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(16, 2);
  extra.writeBigUInt64LE(BigInt(content.length), 4);
  extra.writeBigUInt64LE(BigInt(content.length), 12);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt32LE(crc32(content), 16);
  central.writeUInt32LE(0xffffffff, 20);
  central.writeUInt32LE(0xffffffff, 24);
  central.writeUInt16LE(name.length, 28);
  central.writeUInt16LE(extra.length, 30);
  const directory = Buffer.concat([central, Buffer.from(name), extra]);
  const files = Buffer.concat([local, Buffer.from(name), Buffer.from(content)]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(files.length, 16);
  return Buffer.concat([files, directory, end]);
}
