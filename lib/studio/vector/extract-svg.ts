/**
 * The SVG document inside a language model's answer: the first fenced block that holds one, else the text from the first
 * `<svg` to the last `</svg>`. Null when there is none, or when it was cut before its end. Nothing inside is altered.
 */
export function extractSvg(answer: string): string | null {
  const blocks = answer.split('```');
  for (let index = 1; index < blocks.length; index += 2) {
    const found = between(blocks[index]!);
    if (found) return found;
  }
  return between(answer);
}

function between(text: string): string | null {
  const start = text.search(/<svg[\s/>]/);
  const end = text.lastIndexOf('</svg>');
  return start >= 0 && end > start ? text.slice(start, end + '</svg>'.length) : null;
}
