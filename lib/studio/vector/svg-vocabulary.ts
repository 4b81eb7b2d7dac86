/** How an attribute's value is read. */
export type ValueKind =
  | 'number'
  | 'numbers'
  | 'path'
  | 'transform'
  | 'paint'
  | 'reference'
  | 'local-url'
  | 'keyword'
  | 'font'
  | 'id'
  | 'label'
  | 'style';

const kinds = (kind: ValueKind, names: string) => names.split(' ').map((name) => [name, kind] as const);

/** Elements a pictogram is made of: shapes, groups, gradients, clips, masks, words. Nothing that loads, runs, moves or filters. */
export const SVG_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'svg g defs symbol use title desc path circle ellipse rect line polyline polygon text tspan ' +
    'linearGradient radialGradient stop clipPath mask'
  ).split(' '),
);

/** Elements that leave a mark; a picture needs at least one. */
export const DRAWN_ELEMENTS: ReadonlySet<string> = new Set(
  'path circle ellipse rect line polyline polygon text use'.split(' '),
);

/** Elements whose text is kept; elsewhere only white space may stand between tags. */
export const TEXT_ELEMENTS: ReadonlySet<string> = new Set('title desc text tspan'.split(' '));

/** Elements on which `href` may point to another element of the same file. */
export const HREF_ELEMENTS: ReadonlySet<string> = new Set('use linearGradient radialGradient'.split(' '));

/** Presentation properties: allowed as attributes and inside `style`. */
export const SVG_PROPERTIES: ReadonlyMap<string, ValueKind> = new Map([
  ...kinds('paint', 'fill stroke stop-color color'),
  ...kinds(
    'number',
    'opacity fill-opacity stroke-opacity stop-opacity stroke-width stroke-miterlimit stroke-dashoffset font-size ' +
      'letter-spacing word-spacing',
  ),
  ...kinds('numbers', 'stroke-dasharray'),
  ...kinds('local-url', 'clip-path mask'),
  ...kinds(
    'keyword',
    'fill-rule clip-rule stroke-linecap stroke-linejoin vector-effect paint-order shape-rendering text-rendering ' +
      'color-interpolation display visibility overflow font-style font-weight font-variant text-anchor dominant-baseline ' +
      'alignment-baseline text-decoration mix-blend-mode isolation mask-type',
  ),
  ...kinds('font', 'font-family'),
]);

/** Every attribute that may be written, and how its value is read. */
export const SVG_ATTRIBUTES: ReadonlyMap<string, ValueKind> = new Map([
  ...SVG_PROPERTIES,
  ...kinds('id', 'id'),
  ...kinds(
    'number',
    'x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height offset pathLength textLength rotate version',
  ),
  ...kinds('numbers', 'viewBox points'),
  ...kinds('path', 'd'),
  ...kinds('transform', 'transform gradientTransform'),
  ...kinds('reference', 'href xlink:href'),
  ...kinds(
    'keyword',
    'gradientUnits spreadMethod clipPathUnits maskUnits maskContentUnits preserveAspectRatio lengthAdjust role ' +
      'aria-hidden focusable xml:space xml:lang lang baseProfile',
  ),
  ...kinds('label', 'class aria-label aria-labelledby aria-describedby data-name'),
  ...kinds('style', 'style'),
]);
