/** A brand as the designs need it. Colours are `#rrggbb`. */
export type Brand = {
  name: string;
  /** The brand's own colour. */
  colour: string;
  /** Colour of texts on paper, and ground of dark pages. */
  ink: string;
  /** Ground of light pages, and colour of texts on ink. */
  paper: string;
};

export const DEFAULT_BRAND: Brand = { name: '', colour: '#2f4bd8', ink: '#14141a', paper: '#f7f4ee' };

type Rgb = [number, number, number];

export const HEX_COLOUR = /^#[0-9a-f]{6}$/i;

function rgb(hex: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;
}

/** `amount` of `over` laid on `under`, 0 to 1. */
export function mix(over: string, under: string, amount: number): string {
  const [a, b] = [rgb(over), rgb(under)];
  return `#${a
    .map((value, i) =>
      Math.round(value * amount + (b[i] as number) * (1 - amount))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function luminance(hex: string): number {
  const [r, g, b] = rgb(hex).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG contrast ratio, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const strongestOn = (ground: string) => (luminance(ground) > 0.18 ? '#000000' : '#ffffff');

/** `colour` moved towards black or white until it reads on `ground`, and on what lies on it (`over`), at the ratio asked for. */
export function readableOn(ground: string, colour: string, ratio: number, over = ground): string {
  const target = strongestOn(ground);
  for (let amount = 1; amount > 0; amount -= 0.05) {
    const tried = mix(colour, target, amount);
    if (contrast(tried, ground) >= ratio && contrast(tried, over) >= ratio) return tried;
  }
  return target;
}

/** `amount` of `tint` on the ground, or of black or white where texts would no longer read on it; the ground where none does. */
function shadeOf(ground: string, text: string, tint: string, amount: number): string {
  const away = contrast(text, '#000000') > contrast(text, '#ffffff') ? '#000000' : '#ffffff';
  const isRead = (shade: string) =>
    [text, strongestOn(ground)].every((colour) => contrast(colour, shade) >= 4.5);
  return [tint, away].map((colour) => mix(colour, ground, amount)).find(isRead) ?? ground;
}

/** A ground and everything that may be laid on it; each text colour has at least 4.5:1 against the ground and its shade. */
export type Scheme = {
  ground: string;
  text: string;
  /** Secondary texts. */
  muted: string;
  /** The brand's colour where it must be read. */
  accent: string;
  /** Hairlines. */
  line: string;
  /** Large shapes behind texts, barely off the ground. */
  shade: string;
};

export type Palette = { light: Scheme; dark: Scheme; vivid: Scheme; brand: Brand; name: string };

function scheme(
  ground: string,
  text: string,
  colour: string,
  shade = shadeOf(ground, text, colour, 0.1),
): Scheme {
  return {
    ground,
    text,
    muted: readableOn(ground, mix(text, ground, 0.66), 4.5, shade),
    accent: readableOn(ground, colour, 4.5, shade),
    line: mix(text, ground, 0.16),
    shade,
  };
}

/** The three grounds of a brand: paper, ink, and its own colour. Whatever the colours, every text stays readable. */
export function paletteOf(brand: Brand, accent?: string): Palette {
  const colour = accent ?? brand.colour;
  const ink = readableOn(brand.paper, brand.ink, 7);
  const best = [brand.paper, ink, '#ffffff'].sort((a, b) => contrast(b, colour) - contrast(a, colour));
  const onColour = contrast(brand.paper, colour) >= 4.5 ? brand.paper : (best[0] as string);
  const onVivid = readableOn(colour, onColour, 4.5);
  const vivid = scheme(colour, onVivid, onColour, shadeOf(colour, onVivid, onVivid, 0.09));
  return {
    light: scheme(brand.paper, ink, colour),
    dark: scheme(ink, brand.paper, colour),
    vivid: { ...vivid, line: mix(vivid.text, colour, 0.28) },
    brand: { ...brand, colour, ink },
    name: brand.name,
  };
}
