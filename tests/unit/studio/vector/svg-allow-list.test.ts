import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { svgIn } from '#lib/providers/gateway/vector.ts';
import { checkSvg } from '#lib/studio/vector/svg-allow-list.ts';
import { picture, SVG_ATTACKS } from './svg-attacks.ts';

describe('an SVG is refused, never repaired, when it holds', () => {
  test.each(SVG_ATTACKS)('%s', (_name, source, reason) => {
    expect(checkSvg(source)).toEqual({ ok: false, code: 'svg-unsafe', reason });
  });
});

describe('an SVG is accepted when it only draws', () => {
  test.each([
    ['a shape', picture('')],
    ['an XML declaration', `<?xml version="1.0" encoding="UTF-8"?>\n${picture('')}`],
    ['comments', `<!-- icon -->${picture('<!-- sun: 8 rays -->')}`],
    ['a title with signs', picture('<title>Sel &amp; poivre &lt;3</title><desc>Deux pots</desc>')],
    [
      'a group with transforms',
      picture(
        '<g transform="translate(2, 3) rotate(-45 12 12) scale(1.5)"><circle cx="1" cy="1" r="1"/></g>',
      ),
    ],
    [
      'gradients',
      picture(
        '<defs><linearGradient id="a" x1="0%" x2="100%"><stop offset="0" stop-color="#f00"/><stop offset="1" style="stop-color:rgb(0, 10, 255);stop-opacity:.5"/></linearGradient><radialGradient id="b" href="#a"/></defs><rect width="9" height="9" fill="url(#a)" stroke="url(\'#b\') none"/>',
      ),
    ],
    [
      'clips and masks',
      picture(
        '<clipPath id="c"><rect width="9" height="9"/></clipPath><mask id="m"><circle r="3" fill="white"/></mask><g clip-path="url(#c)" mask="url( #m )"><rect width="9" height="9"/></g>',
      ),
    ],
    [
      'symbols and uses',
      picture(
        '<symbol id="s" viewBox="0 0 4 4"><path d="M0 0l4 4"/></symbol><use href="#s" x="1"/><use xlink:href="#s" x="9"/>',
        'xmlns:xlink="http://www.w3.org/1999/xlink"',
      ),
    ],
    [
      'words',
      picture(
        '<text x="2" y="9" font-family="\'Inter\', sans-serif" font-size="4px" text-anchor="middle">Été <tspan dy="1">!</tspan></text>',
      ),
    ],
    [
      'every number style',
      picture(
        '<path d="M.5-.5 1e-3,2E3z m-1,+2 a1 1 0 01.5.5"/>',
        'width="24" height="24px" role="img" aria-hidden="true" focusable="false" class="lucide lucide-sun"',
      ),
    ],
    ['quotes of both kinds', picture("<rect width='9' height='9' fill='none' stroke='currentColor'/>")],
    ['a > in a value', picture('<g aria-label="a > b"/>')],
    ['Windows line ends', picture('<g\r\n fill="red"\r\n/>').replaceAll('><', '>\r\n<')],
  ])('%s', (_name, source) => {
    expect(checkSvg(source)).toMatchObject({ ok: true, viewBox: [0, 0, 24, 24] });
  });

  test('and every icon of the cockpit passes', async () => {
    const folder = new URL('../../../../node_modules/lucide/dist/esm/icons/', import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith('.mjs') || name.endsWith('.js'));
    const nodes = files.flatMap((name) => [
      ...readFileSync(new URL(name, folder), 'utf8').matchAll(/^const \w+ = (\[[\s\S]*?\n\]);/gm),
    ]);
    expect(nodes.length).toBeGreaterThan(1000);
    for (const [, literal] of nodes) {
      const shapes = new Function(`return ${literal}`)() as [string, Record<string, string>][];
      const inside = shapes
        .map(
          ([tag, attributes]) =>
            `<${tag} ${Object.entries(attributes)
              .map(([k, v]) => `${k}="${v}"`)
              .join(' ')}/>`,
        )
        .join('');
      const source = picture(
        inside,
        'width="24" height="24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"',
      );
      expect(checkSvg(source), source).toMatchObject({ ok: true });
    }
  });

  test('and is measured by its view box, else by its size', () => {
    const svg = (root: string) =>
      checkSvg(`<svg xmlns="http://www.w3.org/2000/svg" ${root}><path d="M0 0"/></svg>`);
    expect(svg('viewBox="-1 -2 30 40"')).toMatchObject({ viewBox: [-1, -2, 30, 40], width: 30, height: 40 });
    expect(svg('viewBox="0,0,30,40" width="60px" height="80"')).toMatchObject({ width: 60, height: 80 });
    expect(svg('width="60" height="80"')).toMatchObject({ viewBox: [0, 0, 60, 80] });
    expect(svg('viewBox="0 0 30 40" width="100%" height="100%"')).toMatchObject({ width: 30, height: 40 });
  });
});

describe('whatever is written', () => {
  const FORBIDDEN =
    /<(?:script|style|image|a|foreignObject|animate|set|iframe)\b|\son\w+\s*=|javascript:|https?:\/\/(?!www\.w3\.org)|<!DOCTYPE|<!\[CDATA|<\?(?!xml )|\\|url\(\s*['"]?[^#\s'"]/i;
  const piece = fc.constantFrom(
    '<g',
    '<path',
    '<use',
    '<script',
    '<style',
    '<a',
    '<image',
    '<title',
    '<svg',
    '</g>',
    '</svg>',
    '</title>',
    '</script>',
    '/>',
    '>',
    ' ',
    '\n',
    ' id="a"',
    ' href="#a"',
    ' href="https://evil.example"',
    ' fill="url(#a)"',
    ' fill="url(//evil.example)"',
    ' style="fill:red"',
    ' onload="x"',
    ' d="M0 0"',
    ' xmlns="http://www.w3.org/2000/svg"',
    ' xmlns:xlink="http://www.w3.org/1999/xlink"',
    ' xlink:href="#a"',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&amp;',
    '&#106;',
    '\\',
    'javascript:',
    '"',
    "'",
    '=',
    'é',
    '<?x ?>',
    '<!DOCTYPE svg>',
    ' viewBox="0 0 9 9"',
    ' width="9"',
  );

  // Without titles and comments: an accepted one has no character that could end it, and draws and loads nothing.
  const drawn = (source: string) =>
    source.replace(/<title>[^<]*<\/title>/g, '').replace(/<!--[^<>&]*-->/g, '');

  test('the check answers, and what it accepts holds no forbidden thing', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, wrapped) => {
        const source = wrapped ? picture(pieces.join('')) : pieces.join('');
        if (!checkSvg(source).ok) return;
        accepted += 1;
        expect(drawn(source)).not.toMatch(FORBIDDEN);
      }),
      { numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(10);
  });

  test('one change to a good picture never lets a forbidden thing in', () => {
    const good = picture(
      '<defs><linearGradient id="a"><stop offset="0" stop-color="#f00"/></linearGradient></defs><g style="fill:url(#a)"><use href="#a"/></g>',
    );
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.nat(good.length),
        fc.nat(8),
        fc.oneof(piece, fc.string({ maxLength: 4 })),
        (at, removed, added) => {
          const source = good.slice(0, at) + added + good.slice(at + removed);
          if (!checkSvg(source).ok) return;
          accepted += 1;
          expect(drawn(source)).not.toMatch(FORBIDDEN);
        },
      ),
      { numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(10);
  });

  test('a value built to slow a pattern down is refused within the time of a test', () => {
    const long = 60_000;
    const hostile = [
      `<path d="${'0'.repeat(long)}!"/>`,
      `<g transform="${'rotate(1'.repeat(long / 8)}"/>`,
      `<g fill="rgb(${'1deg'.repeat(long / 4)}"/>`,
      `<g style="${'fill:red;'.repeat(long / 9)}x"/>`,
      `<g font-family="${"a'".repeat(long / 2)}("/>`,
      `<g transform="${' '.repeat(long)}x)"/>`,
      `<g points="${'1,'.repeat(long / 2)}x"/>`,
    ];
    for (const inside of hostile) expect(checkSvg(picture(inside)).ok).toBe(false);
  });
});

describe('the SVG in a model’s answer', () => {
  const svg = picture('');
  test.each([
    ['bare', svg],
    ['in a fence', `Voici :\n\`\`\`svg\n${svg}\n\`\`\`\nBonne journée`],
    [
      'in an xml fence after another',
      `\`\`\`json\n{}\n\`\`\`\n\`\`\`xml\n<?xml version="1.0"?>\n${svg}\n\`\`\``,
    ],
    ['in prose', `Voici le pictogramme ${svg} demandé.`],
    ['in a fence never closed', `\`\`\`svg\n${svg}`],
  ])('is found %s', (_name, answer) => {
    expect(svgIn(answer)).toBe(svg);
  });

  test('is empty when there is none or it was cut', () => {
    for (const answer of [
      '',
      'Je ne peux pas.',
      svg.slice(0, -3),
      `\`\`\`svg\n${svg.slice(0, 60)}`,
      '</svg><svg',
      '<svgx></svg>',
    ]) {
      expect(svgIn(answer)).toBe('');
    }
  });
});
