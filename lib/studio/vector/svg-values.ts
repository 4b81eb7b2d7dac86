import { SVG_PROPERTIES, type ValueKind } from './svg-vocabulary.ts';

const SHAPES: Record<
  Exclude<ValueKind, 'paint' | 'local-url' | 'reference' | 'transform' | 'style'>,
  RegExp
> = {
  number:
    /^[-+]?[0-9.]{1,32}(?:[eE][-+]?[0-9]{1,3})?(?:px|pt|em|rem|%)?$|^(?:normal|none|inherit|auto|medium)$/,
  numbers: /^[-+0-9.eE%,\s]*(?:px)?$|^(?:none|inherit)$/,
  path: /^[MmZzLlHhVvCcSsQqTtAa0-9eE+\-.,\s]*$/,
  keyword: /^[a-zA-Z0-9 .-]{1,64}$/,
  font: /^[\p{L}0-9 ,'"-]{1,200}$/u,
  id: /^[A-Za-z_][\w.-]{0,63}$/,
  label: /^[^<"`{}\p{Cc}]{0,200}$/u,
};

const COLOUR = /^(?:[a-zA-Z]{3,30}|#[0-9a-fA-F]{3,8}|(?:rgb|rgba|hsl|hsla)\((?:[0-9.,%/\s+-]|deg){1,60}\))$/;
const LOCAL_URL = /^url\(\s{0,4}(['"]?)#([A-Za-z_][\w.-]{0,63})\1\s{0,4}\)$/;
const LOCAL_REFERENCE = /^#([A-Za-z_][\w.-]{0,63})$/;
const TRANSFORM = /^(?:translate|scale|rotate|skewX|skewY|matrix)\s{0,4}\([-+0-9.eE,\s]{1,200}\)$/;

/** The verdict on one value: refused, or accepted with the ids it points to. */
type ValueVerdict = { ok: false } | { ok: true; points: readonly string[] };

const REFUSED: ValueVerdict = { ok: false };
const PLAIN: ValueVerdict = { ok: true, points: [] };

/** Reads one attribute value by its kind. Each pattern is anchored and runs in time linear in the value. */
export function readValue(kind: ValueKind, raw: string): ValueVerdict {
  const value = raw.trim();
  switch (kind) {
    case 'reference':
      return pointing(LOCAL_REFERENCE.exec(value)?.[1]);
    case 'local-url':
      return value === 'none' ? PLAIN : pointing(LOCAL_URL.exec(value)?.[2]);
    case 'paint':
      return readPaint(value);
    case 'transform':
      return readTransform(value);
    case 'style':
      return readStyle(value);
    default:
      return SHAPES[kind].test(value) ? PLAIN : REFUSED;
  }
}

function pointing(id: string | undefined): ValueVerdict {
  return id === undefined ? REFUSED : { ok: true, points: [id] };
}

/** A colour, or a gradient of this file with an optional colour to fall back on. */
function readPaint(value: string): ValueVerdict {
  if (!value.startsWith('url(')) return COLOUR.test(value) ? PLAIN : REFUSED;
  const close = value.indexOf(')') + 1;
  const fallback = value.slice(close).trim();
  if (fallback !== '' && !COLOUR.test(fallback)) return REFUSED;
  return pointing(LOCAL_URL.exec(value.slice(0, close))?.[2]);
}

function readTransform(value: string): ValueVerdict {
  if (value === '' || value === 'none') return PLAIN;
  if (!value.endsWith(')')) return REFUSED;
  const calls = value.slice(0, -1).split(')');
  return calls.every((call) => TRANSFORM.test(`${call.replace(/^[\s,]{0,20}/, '')})`)) ? PLAIN : REFUSED;
}

/** `style` is accepted only as a plain list of the presentation properties, each read as its attribute would be. */
function readStyle(value: string): ValueVerdict {
  const points: string[] = [];
  for (const declaration of value.split(';')) {
    if (declaration.trim() === '') continue;
    const colon = declaration.indexOf(':');
    const kind = colon < 0 ? undefined : SVG_PROPERTIES.get(declaration.slice(0, colon).trim());
    const verdict = kind ? readValue(kind, declaration.slice(colon + 1)) : REFUSED;
    if (!verdict.ok) return REFUSED;
    points.push(...verdict.points);
  }
  return { ok: true, points };
}
