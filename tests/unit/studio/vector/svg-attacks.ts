import type { SvgRefusal } from '#lib/studio/vector/svg-allow-list.ts';

const NS = 'xmlns="http://www.w3.org/2000/svg"';
/** A picture that would be accepted, with `inside` added to it and `root` to its root element. */
export const picture = (inside: string, root = '') =>
  `<svg ${NS} viewBox="0 0 24 24"${root ? ` ${root}` : ''}><path d="M2 2h20"/>${inside}</svg>`;
const href = 'xmlns:xlink="http://www.w3.org/1999/xlink"';

/** Attacks on anybody who displays an SVG, each with the expected refusal. */
export const SVG_ATTACKS: readonly (readonly [name: string, source: string, reason: SvgRefusal])[] = [
  // Scripts
  ['a script', picture('<script>alert(1)</script>'), 'element'],
  ['a script by address', picture('<script href="https://evil.example/x.js"/>'), 'element'],
  ['a script in another case', picture('<SCRIPT>alert(1)</SCRIPT>'), 'element'],
  [
    'a script in the HTML namespace',
    picture('<h:script xmlns:h="http://www.w3.org/1999/xhtml">1</h:script>'),
    'namespace',
  ],
  [
    'a script by default namespace',
    picture('<script xmlns="http://www.w3.org/1999/xhtml">1</script>'),
    'namespace',
  ],
  [
    'a prefixed svg script',
    picture('<s:script xmlns:s="http://www.w3.org/2000/svg">1</s:script>'),
    'namespace',
  ],
  ['onload on the root', picture('', 'onload="alert(1)"'), 'attribute'],
  ['onclick on a shape', picture('<rect width="9" height="9" onclick="alert(1)"/>'), 'attribute'],
  ['a handler in another case', picture('<g OnLoad="alert(1)"/>'), 'attribute'],
  ['onbegin of an animation', picture('<animate onbegin="alert(1)" attributeName="x"/>'), 'element'],
  ['an event listener', picture('<handler type="text/javascript">1</handler>'), 'element'],
  // Foreign content
  [
    'HTML inside',
    picture('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'),
    'element',
  ],
  ['an iframe', picture('<iframe src="https://evil.example"/>'), 'element'],
  [
    'an embed in the HTML namespace',
    picture('<embed xmlns="http://www.w3.org/1999/xhtml" src="//evil.example"/>'),
    'namespace',
  ],
  ['MathML inside', picture('<math xmlns="http://www.w3.org/1998/Math/MathML"><mi/></math>'), 'namespace'],
  ['HTML after a title', picture('<title><img src="x" onerror="alert(1)"/></title>'), 'element'],
  ['an audio', picture('<audio src="https://evil.example/a.mp3"/>'), 'element'],
  ['a video', picture('<video href="https://evil.example/a.mp4"/>'), 'element'],
  ['metadata', picture('<metadata><a/></metadata>'), 'element'],
  ['an editor’s namespace', picture('<i:x xmlns:i="http://ns.adobe.com/x/"/>'), 'namespace'],
  ['an editor’s attribute', picture('<g xmlns:i="http://ns.adobe.com/x/" i:y="1"/>'), 'namespace'],
  // Outside addresses
  ['an image by address', picture('<image href="https://evil.example/p.png"/>'), 'element'],
  ['an image in a data address', picture('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'), 'element'],
  ['feImage', picture('<filter><feImage href="https://evil.example/p"/></filter>'), 'element'],
  ['a link', picture('<a href="https://evil.example"><rect width="9" height="9"/></a>'), 'element'],
  ['a javascript link', picture('<a href="javascript:alert(1)"><rect/></a>'), 'element'],
  ['use of another file', picture('<use href="https://evil.example/a.svg#b"/>'), 'reference'],
  ['use of a relative file', picture('<use href="a.svg#b"/>'), 'reference'],
  ['use of a data address', picture('<use href="data:image/svg+xml,%3Csvg/%3E#a"/>'), 'reference'],
  ['use of a script address', picture('<use href="javascript:alert(1)"/>'), 'reference'],
  ['use by xlink of another file', picture('<use xlink:href="//evil.example/a#b"/>', href), 'reference'],
  [
    'xlink that is not xlink',
    picture('<use xlink:href="#a"/>', 'xmlns:xlink="http://evil.example"'),
    'namespace',
  ],
  [
    'another prefix for xlink',
    picture('<use x:href="#a"/>', 'xmlns:x="http://www.w3.org/1999/xlink"'),
    'namespace',
  ],
  [
    'a gradient from another file',
    picture('<linearGradient id="a" href="https://evil.example/#g"/>'),
    'reference',
  ],
  [
    'href where nothing is referred to',
    picture('<path id="p" d="M0 0"/><rect href="#p" width="9" height="9"/>'),
    'attribute',
  ],
  ['xml:base', picture('<use href="#a" xml:base="https://evil.example/"/>'), 'attribute'],
  ['a textPath', picture('<textPath href="https://evil.example/#a">a</textPath>'), 'element'],
  ['a cursor', picture('<g cursor="url(https://evil.example/c)"/>'), 'attribute'],
  ['src', picture('<g src="https://evil.example"/>'), 'attribute'],
  // CSS
  ['a style sheet', picture('<style>@import url(https://evil.example/a.css);</style>'), 'element'],
  [
    'a style sheet in the HTML namespace',
    picture('<style xmlns="http://www.w3.org/1999/xhtml">*{}</style>'),
    'namespace',
  ],
  ['a paint by address', picture('<rect width="9" height="9" fill="url(https://evil.example/p)"/>'), 'value'],
  [
    'a paint by quoted address',
    picture(`<rect width="9" height="9" fill="url('//evil.example/#p')"/>`),
    'value',
  ],
  [
    'a paint with two urls',
    picture('<g id="a"/><rect width="9" height="9" fill="url(#a) url(https://evil.example)"/>'),
    'value',
  ],
  ['a paint in capitals', picture('<rect width="9" height="9" fill="URL(https://evil.example)"/>'), 'value'],
  [
    'a clip by address',
    picture('<rect width="9" height="9" clip-path="url(https://evil.example/#c)"/>'),
    'reference',
  ],
  ['a mask by address', picture('<rect width="9" height="9" mask="url(//evil.example/#c)"/>'), 'reference'],
  [
    'a filter by address',
    picture('<rect width="9" height="9" filter="url(https://evil.example/#c)"/>'),
    'attribute',
  ],
  ['a marker by address', picture('<path d="M0 0" marker-end="url(https://evil.example/#c)"/>'), 'attribute'],
  ['style with a background address', picture('<g style="background:url(https://evil.example)"/>'), 'value'],
  ['style with a fill address', picture('<g style="fill:url(https://evil.example)"/>'), 'value'],
  ['style with an import', picture('<g style="@import url(https://evil.example)"/>'), 'value'],
  ['style with an expression', picture('<g style="width:expression(alert(1))"/>'), 'value'],
  ['style with a comment', picture('<g style="fill:u/**/rl(https://evil.example)"/>'), 'value'],
  ['style with a variable', picture('<g style="--a:url(https://evil.example);fill:var(--a)"/>'), 'value'],
  ['style with -moz-binding', picture('<g style="-moz-binding:url(//evil.example)"/>'), 'value'],
  ['style with image-set', picture('<g style="mask:image-set(&quot;//evil.example&quot; 1x)"/>'), 'value'],
  ['a CSS escape', picture('<rect width="9" height="9" fill="\\75 rl(https://evil.example)"/>'), 'value'],
  ['a CSS escape in style', picture('<g style="fill:\\75\\72\\6c(//evil.example)"/>'), 'value'],
  ['a font by address', picture('<g font-family="a,url(//evil.example)"/>'), 'value'],
  ['a font face', picture('<font-face><font-face-src/></font-face>'), 'element'],
  // Spellings
  ['an entity in a value', picture('<rect width="9" height="9" fill="&#117;rl(//evil.example)"/>'), 'value'],
  ['a harmless entity in a value', picture('<g fill="&#114;ed"/>'), 'value'],
  ['an entity after a > in a value', picture('<g aria-label="a > b &amp; c"/>'), 'value'],
  ['an entity in an href', picture('<path id="a" d="M0 0"/><use href="&#35;a"/>'), 'value'],
  ['a tab inside a scheme', picture('<use href="java\tscript:alert(1)"/>'), 'reference'],
  ['a null character', picture('<g id="a\u0000"/>'), 'not-xml'],
  ['a repeated attribute', picture('<g fill="red" fill="blue"/>'), 'not-xml'],
  ['an unclosed element', picture('<g>'), 'not-xml'],
  ['an unquoted value', picture('<g fill=red />'), 'not-xml'],
  ['an undeclared entity', picture('<title>&evil;</title>'), 'not-xml'],
  ['a second root', `${picture('')}${picture('')}`, 'not-xml'],
  ['a script after the end', `${picture('')}<script>alert(1)</script>`, 'not-xml'],
  ['a page around it', `<html>${picture('')}</html>`, 'namespace'],
  ['no namespace', '<svg viewBox="0 0 9 9"><path d="M0 0"/></svg>', 'namespace'],
  ['another root', `<g ${NS}><path d="M0 0"/></g>`, 'element'],
  ['a picture inside a picture', picture(`<svg ${NS}><path d="M0 0"/></svg>`), 'element'],
  // XML machinery
  ['a doctype', `<!DOCTYPE svg>${picture('')}`, 'doctype'],
  [
    'an outside entity',
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${picture('<title>&x;</title>')}`,
    'doctype',
  ],
  [
    'a billion laughs',
    `<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;">]>${picture('<title>&b;</title>')}`,
    'doctype',
  ],
  [
    'an XSL sheet',
    `<?xml-stylesheet href="//evil.example/a.xsl" type="text/xsl"?>${picture('')}`,
    'processing-instruction',
  ],
  ['a php tag', picture('<?php system("id") ?>'), 'processing-instruction'],
  ['a CDATA', picture('<title><![CDATA[<script>alert(1)</script>]]></title>'), 'cdata'],
  ['a comment that HTML ends sooner', picture('<!--><img src=x onerror=alert(1)>-->'), 'comment'],
  ['another encoding', `<?xml version="1.0" encoding="UTF-7"?>${picture('')}`, 'not-xml'],
  ['XML 1.1', `<?xml version="1.1"?>${picture('')}`, 'not-xml'],
  ['text between shapes', picture('alert(1)'), 'text'],
  // Movement
  [
    'an animated href',
    picture('<use href="#a"><animate attributeName="href" to="//evil.example"/></use>'),
    'element',
  ],
  ['a set', picture('<set attributeName="onload" to="alert(1)"/>'), 'element'],
  ['a motion', picture('<animateTransform attributeName="transform"/>'), 'element'],
  // References and cost
  ['a reference to nothing', picture('<use href="#nothing"/>'), 'reference'],
  ['a paint from nothing', picture('<rect width="9" height="9" fill="url(#nothing)"/>'), 'reference'],
  ['an id given twice', picture('<g id="a"/><g id="a"/>'), 'reference'],
  ['a use of itself', picture('<g id="a"><use href="#a"/></g>'), 'expansion'],
  [
    'two uses of each other',
    picture('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
    'expansion',
  ],
  [
    'a mask of itself',
    picture('<mask id="m"><rect width="9" height="9" mask="url(#m)"/></mask>'),
    'expansion',
  ],
  [
    'a gradient of itself',
    picture('<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>'),
    'expansion',
  ],
  ['a use bomb', picture(bomb()), 'expansion'],
  ['a mask bomb', picture(bomb((id) => `<g mask="url(#${id})"/>`)), 'expansion'],
  ['a style bomb', picture(bomb((id) => `<g style="mask:url(#${id})"/>`)), 'expansion'],
  ['a deep nest', picture(`${'<g>'.repeat(40)}${'</g>'.repeat(40)}`), 'too-deep'],
  ['too many elements', picture('<g/>'.repeat(2001)), 'too-many'],
  [
    'too many attributes',
    picture(`<g ${Array.from({ length: 50 }, (_, i) => `a${i}="1"`).join(' ')}/>`),
    'too-many',
  ],
  ['a heavy file', picture(`<path d="${'M0 0'.repeat(20_000)}"/>`), 'too-large'],
  // Size
  ['no size', `<svg ${NS}><path d="M0 0"/></svg>`, 'size'],
  ['a size in percent alone', `<svg ${NS} width="100%" height="100%"><path d="M0 0"/></svg>`, 'size'],
  ['an empty view box', `<svg ${NS} viewBox="0 0 0 24"><path d="M0 0"/></svg>`, 'size'],
  ['a negative view box', `<svg ${NS} viewBox="0 0 -24 24"><path d="M0 0"/></svg>`, 'size'],
  ['a view box of three', `<svg ${NS} viewBox="0 0 24"><path d="M0 0"/></svg>`, 'size'],
  ['an endless view box', `<svg ${NS} viewBox="0 0 1e99 24"><path d="M0 0"/></svg>`, 'size'],
  ['an endless width', picture('', 'width="1e9" height="1e9"'), 'size'],
  ['nothing drawn', `<svg ${NS} viewBox="0 0 24 24"><g/></svg>`, 'empty'],
  ['nothing at all', '', 'not-xml'],
  ['no SVG', 'Voici votre pictogramme.', 'not-xml'],
];

function bomb(call: (id: string) => string = (id) => `<use href="#${id}"/>`): string {
  let body = '<g id="b0"><path d="M0 0"/></g>';
  for (let level = 1; level < 20; level += 1)
    body += `<g id="b${level}">${call(`b${level - 1}`).repeat(8)}</g>`;
  return body;
}
