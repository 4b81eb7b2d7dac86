import { createElement, type ReactElement } from 'react';
import { faceMetrics } from './fonts.ts';
import type { Photo } from './photo.ts';
import { type Block, type FitOptions, fitText } from './typeset.ts';

export type Rect = { x: number; y: number; width: number; height: number };
export type PhotoRequest = Rect & { photo: Photo | undefined; radius: number; ground: string; tone: string };

/** What was laid down, for proofs: a text must be inside the page and over no other text. */
type PlacedText = Rect & { text: string; size: number };

type ShapeNode = { kind: 'shape'; element: ReactElement };
type Node = ShapeNode | { kind: 'text'; element: ReactElement } | { kind: 'photo'; request: PhotoRequest };

/** The library sets words one by one on whole pixels; non-breaking spaces keep a line in one piece, evenly spaced. */
function unbroken(line: string): string {
  return line.replaceAll(' ', '\u00a0');
}

/**
 * One page being composed: shapes, photographs and fitted texts at absolute places, in pixels from the top left.
 * Every line of text is placed by us and never wrapped by the drawing library, so what was measured is what is drawn.
 */
export class Sheet {
  readonly width: number;
  readonly height: number;
  /** Design unit: 1 on a 1080 px square. Margins and sizes are multiples of it. */
  readonly u: number;
  readonly texts: PlacedText[] = [];
  private readonly nodes: Node[] = [];
  private shapes = 0;

  constructor(size: { width: number; height: number }) {
    this.width = size.width;
    this.height = size.height;
    this.u = Math.min(size.width, size.height * 1.2) / 1080;
  }

  /** Wider than tall: designs put things side by side. */
  get landscape(): boolean {
    return this.width > this.height * 1.15;
  }

  private shape(type: string, props: Record<string, unknown>): void {
    this.nodes.push({ kind: 'shape', element: createElement(type, { key: `s${this.shapes++}`, ...props }) });
  }

  /** Covers the page. */
  ground(fill: string): void {
    this.rect({ x: 0, y: 0, width: this.width, height: this.height }, { fill });
  }

  rect(
    r: Rect,
    style: {
      fill?: string;
      radius?: number;
      stroke?: string;
      strokeWidth?: number;
      opacity?: number;
      dash?: string;
    },
  ): void {
    this.shape('rect', {
      ...r,
      rx: style.radius ?? 0,
      fill: style.fill ?? 'none',
      stroke: style.stroke,
      strokeWidth: style.strokeWidth,
      strokeDasharray: style.dash,
      fillOpacity: style.opacity,
    });
  }

  circle(
    cx: number,
    cy: number,
    r: number,
    style: { fill?: string; stroke?: string; strokeWidth?: number },
  ): void {
    this.shape('circle', {
      cx,
      cy,
      r,
      fill: style.fill ?? 'none',
      stroke: style.stroke,
      strokeWidth: style.strokeWidth,
    });
  }

  path(d: string, style: { fill?: string; stroke?: string; strokeWidth?: number; at?: string }): void {
    this.shape('path', {
      d,
      fill: style.fill ?? 'none',
      stroke: style.stroke,
      strokeWidth: style.strokeWidth,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      transform: style.at,
    });
  }

  /** A vertical veil of one colour, from one opacity to another. */
  veil(r: Rect, colour: string, from: number, to: number): void {
    const id = `v${this.shapes}`;
    this.shape('linearGradient', {
      id,
      x1: 0,
      y1: 0,
      x2: 0,
      y2: 1,
      children: [
        createElement('stop', { key: 'a', offset: 0, stopColor: colour, stopOpacity: from }),
        createElement('stop', { key: 'b', offset: 1, stopColor: colour, stopOpacity: to }),
      ],
    });
    this.shape('rect', { ...r, fill: `url(#${id})` });
  }

  /** A photograph that covers the rectangle; without one, a quiet still life in the brand's tones. */
  photo(r: Rect, photo: Photo | undefined, style: { radius?: number; ground: string; tone: string }): void {
    const rounded = {
      x: Math.round(r.x),
      y: Math.round(r.y),
      width: Math.round(r.width),
      height: Math.round(r.height),
    };
    this.nodes.push({ kind: 'photo', request: { ...rounded, photo, radius: style.radius ?? 0, ...style } });
  }

  /** The largest setting of a text that fits; place it with `place`. */
  fit(text: string, options: FitOptions): Block {
    return fitText(text, options);
  }

  /** Lays a block with the top of its capitals at `y`. Returns the last baseline. */
  place(
    block: Block,
    x: number,
    y: number,
    colour: string,
    align: 'left' | 'center' | 'right' = 'left',
    width = block.width,
  ): number {
    const { family, weight, ascent, descent, capHeight, has } = faceMetrics(block.face);
    const lineHeight = (ascent + descent) * block.size;
    block.lines.forEach((line, i) => {
      // The library looks a missing glyph up on the network: it never gets one, wherever the text came from.
      for (const character of line.text)
        if (!has(character.codePointAt(0) as number)) throw new Error(`the face ${block.face} lacks a glyph`);
      const capTop = y + i * block.leading * block.size;
      const slack = width - line.width;
      const left = x + (align === 'left' ? 0 : align === 'center' ? slack / 2 : slack);
      this.texts.push({
        x: left,
        y: capTop,
        width: line.width,
        height: capHeight * block.size,
        text: line.text,
        size: block.size,
      });
      const style = {
        position: 'absolute',
        left,
        top: capTop - (ascent - capHeight) * block.size,
        // One em of slack: a rounding in the library's own measure must not wrap the line.
        width: line.width + block.size,
        height: lineHeight,
        display: 'flex',
        whiteSpace: 'pre',
        fontFamily: family,
        fontWeight: weight,
        fontSize: block.size,
        lineHeight: `${lineHeight}px`,
        letterSpacing: block.tracking * block.size,
        color: colour,
      } as const;
      this.nodes.push({
        kind: 'text',
        element: createElement('div', { style, key: `t${this.nodes.length}` }, unbroken(line.text)),
      });
    });
    return y + block.height;
  }

  /** The finished tree. `resolve` turns each photograph into a `data:` address of its exact size. */
  async element(resolve: (request: PhotoRequest) => Promise<string>): Promise<ReactElement> {
    const children: ReactElement[] = [];
    let layer: ReactElement[] = [];
    const flush = () => {
      if (layer.length === 0) return;
      const { width, height } = this;
      children.push(
        createElement(
          'svg',
          {
            key: `l${children.length}`,
            width,
            height,
            viewBox: `0 0 ${width} ${height}`,
            xmlns: 'http://www.w3.org/2000/svg',
            style: { position: 'absolute', left: 0, top: 0 },
          },
          layer,
        ),
      );
      layer = [];
    };
    for (const node of this.nodes) {
      if (node.kind === 'shape') {
        layer.push(node.element);
        continue;
      }
      flush();
      if (node.kind === 'text') children.push(node.element);
      else {
        const { x, y, width, height, radius } = node.request;
        children.push(
          createElement('img', {
            key: `p${children.length}`,
            src: await resolve(node.request),
            width,
            height,
            style: { position: 'absolute', left: x, top: y, width, height, borderRadius: radius },
          }),
        );
      }
    }
    flush();
    const style = { display: 'flex', position: 'relative', width: this.width, height: this.height } as const;
    return createElement('div', { style }, children);
  }
}
