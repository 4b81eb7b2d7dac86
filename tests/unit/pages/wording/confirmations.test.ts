import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../../', import.meta.url);
/** The element of a confirmation up to its title: a quoted text, or an expression whose templates may contain braces. */
const TITLE = /<Confirm(?:Call|Deletion)?\s[\s\S]*?\stitle=(?:"([^"]*)"|\{((?:[^{}`]|`[^`]*`)*)\})/g;
const LITERAL = /`[^`]*`|'[^']*'|"[^"]*"/g;

/** The titles of a source's confirmations that do not end with a no-break space and a question mark. */
function unasked(source: string): string[] {
  return [...source.matchAll(TITLE)].flatMap(([, quoted, expression = '']) => {
    if (quoted !== undefined) return quoted.endsWith('&nbsp;?') ? [] : [quoted];
    // A title that is passed on is checked where it is written.
    return [...expression.matchAll(LITERAL)].flatMap(([text]) =>
      text.slice(0, -1).endsWith('\\u00a0?') ? [] : [text],
    );
  });
}

test('every question that is asked before something is done ends with a question mark that no line leaves behind', () => {
  const files = globSync('app/**/*.tsx', { cwd: ROOT });
  const sources = files.map((file) => ({ file, source: readFileSync(new URL(file, ROOT), 'utf8') }));
  const asked = sources.flatMap(({ source }) => [...source.matchAll(TITLE)]);
  expect(asked.length).toBeGreaterThan(25);
  expect(sources.flatMap(({ file, source }) => unasked(source).map((title) => `${file}: ${title}`))).toEqual(
    [],
  );
});

test('a title without its mark is found, whatever it is written in', () => {
  expect(unasked('<Confirm open title="Supprimer" />')).toEqual(['Supprimer']);
  // In two pieces, so that it does not look like a template of this file.
  const template = '`Effacer $' + '{name ?? ""}`';
  expect(unasked(`<ConfirmCall\n  label="a"\n  title={${template}}\n/>`)).toEqual([template]);
  expect(unasked("<ConfirmCall x title={a ? `b\\u00a0?` : 'c'} />")).toEqual(["'c'"]);
  expect(unasked('<ConfirmDeletion x title="Supprimer&nbsp;?" /><Confirm y title={title} />')).toEqual([]);
});
