import type { Palette } from './palette.ts';
import type { Photo } from './photo.ts';
import type { Sheet } from './sheet.ts';

type FieldKind = 'text' | 'longText' | 'image' | 'colour' | 'list';

/** One named field of a template, as a form shows it. */
export type FieldDefinition = {
  id: string;
  label: string;
  kind: FieldKind;
  required: boolean;
  /** UTF-16 code units for a text; items for a list. */
  maxLength?: number;
  /** Fewest items of a list. */
  minItems?: number;
  /** Fields of each item of a list. */
  item?: readonly FieldDefinition[];
  /** In good French; an image has none. */
  example?: string | readonly Record<string, string>[];
  /** One line of help under the field. */
  hint?: string;
};

export type ListItem = Record<string, string>;
/** Texts as strings, a list as objects of strings, an image as a reference or a `data:` address. */
export type RenderFields = Record<string, string | ListItem[]>;

export type RenderSize = { id: string; label: string; width: number; height: number };

type PageContext = {
  sheet: Sheet;
  palette: Palette;
  fields: Reader;
  /** One file of several: 0-based. */
  page: number;
  pages: number;
};

/** Typed reading of checked fields. */
export type Reader = {
  text(id: string): string;
  list(id: string): ListItem[];
  /** Undefined draws the placeholder. */
  photo(id: string): Photo | undefined;
};

export type TemplateDefinition = {
  id: string;
  name: string;
  description: string;
  fields: readonly FieldDefinition[];
  sizes: readonly RenderSize[];
  /** How many files these fields give. */
  pages(fields: RenderFields): number;
  /** Draws one page. Synchronous on purpose: photographs were decoded before. */
  draw(context: PageContext): void;
};
