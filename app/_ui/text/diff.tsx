import { diffLines, diffWordsWithSpace } from 'diff';
import { cx } from '../cx.ts';
import { count } from '../format.ts';

type Line = { kind: 'same' | 'added' | 'removed'; text: string; pair?: string };

const CONTEXT = 3;
// Fewer folded lines would take more room than they save.
const FOLD_FROM = 3;
// In UTF-16 code units, both lines together. Longer lines are shown whole, without comparing their words.
const WORDS_LIMIT = 4_000;

/** Programs may store other line ends than a field does: as differences they would be invisible, and on every line. */
const oneLineEnd = (text: string) => text.replace(/\r\n?/g, '\n');

/** The lines of a comparison. Removed lines followed by as many added lines are paired, to show the words that changed. */
function compareLines(before: string, after: string): Line[] {
  const lines: Line[] = [];
  // Without a final line end, the last line would differ from the same line followed by another one.
  const parts = diffLines(`${before.replace(/\n$/, '')}\n`, `${after.replace(/\n$/, '')}\n`);
  for (const [index, part] of parts.entries()) {
    const kind = part.added ? 'added' : part.removed ? 'removed' : 'same';
    const texts = part.value.replace(/\n$/, '').split('\n');
    const other = part.removed ? parts[index + 1] : part.added ? parts[index - 1] : undefined;
    const paired = other && Boolean(other.added) === Boolean(part.removed) && (other.added || other.removed);
    const pairs = paired ? other.value.replace(/\n$/, '').split('\n') : [];
    for (const [line, text] of texts.entries()) {
      const pair = pairs.length === texts.length ? pairs[line] : undefined;
      lines.push(pair === undefined ? { kind, text } : { kind, text, pair });
    }
  }
  return lines;
}

type Block = { lines: Line[]; skipped: number; at: number };

function withContext(lines: Line[]): Block[] {
  const keep = lines.map(() => false);
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'same') continue;
    for (let near = index - CONTEXT; near <= index + CONTEXT; near++) if (near in keep) keep[near] = true;
  }
  for (let start = 0; start < keep.length; start++) {
    let end = start;
    while (end < keep.length && !keep[end]) end += 1;
    if (end - start < FOLD_FROM) keep.fill(true, start, end);
    start = end;
  }
  const blocks: Block[] = [];
  for (const [index, line] of lines.entries()) {
    const last = blocks.at(-1);
    if (!keep[index]) {
      if (last && last.lines.length === 0) last.skipped += 1;
      else blocks.push({ lines: [], skipped: 1, at: index });
    } else if (last && last.lines.length > 0) last.lines.push(line);
    else blocks.push({ lines: [line], skipped: 0, at: index });
  }
  return blocks;
}

/** The changes between two versions, line by line and word by word; long stretches without a change are folded. */
export function Diff({ className, ...texts }: { before: string; after: string; className?: string }) {
  const [before, after] = [oneLineEnd(texts.before), oneLineEnd(texts.after)];
  if (before === after)
    return <p className={cx('text-ink-soft text-sm', className)}>Les deux versions sont identiques.</p>;
  return (
    <div className={cx('overflow-hidden rounded-md border border-line text-sm', className)}>
      {withContext(compareLines(before, after)).map((block) =>
        block.skipped > 0 ? (
          <p key={block.at} className="bg-sunken px-3 py-1 text-ink-faint text-xs">
            {count(block.skipped, 'ligne inchangée', 'lignes inchangées')}
          </p>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a finished comparison never move
          block.lines.map((line, index) => <DiffLine key={`${block.at}-${index}`} line={line} />)
        ),
      )}
    </div>
  );
}

function DiffLine({ line }: { line: Line }) {
  const added = line.kind === 'added';
  if (line.kind === 'same')
    return <p className="wrap-anywhere min-h-6 whitespace-pre-wrap py-0.5 pr-3 pl-8">{line.text}</p>;
  const Tag = added ? 'ins' : 'del';
  return (
    <Tag
      className={cx(
        'wrap-anywhere relative block min-h-6 whitespace-pre-wrap py-0.5 pr-3 pl-8 no-underline',
        added ? 'bg-ok-soft' : 'bg-fail-soft',
      )}
    >
      <span aria-hidden className={cx('absolute left-3 font-mono', added ? 'text-ok' : 'text-fail')}>
        {added ? '+' : '−'}
      </span>
      <Words line={line} />
    </Tag>
  );
}

function Words({ line }: { line: Line }) {
  if (line.pair === undefined || line.text.length + line.pair.length > WORDS_LIMIT) return line.text;
  const added = line.kind === 'added';
  const parts = added ? diffWordsWithSpace(line.pair, line.text) : diffWordsWithSpace(line.text, line.pair);
  return parts
    .filter((part) => (added ? !part.removed : !part.added))
    .map((part, index) =>
      part.added || part.removed ? (
        <strong
          // biome-ignore lint/suspicious/noArrayIndexKey: words of a finished comparison never move
          key={index}
          className={cx(
            'rounded-[2px] font-semibold underline decoration-1 underline-offset-2',
            added ? 'text-ok' : 'text-fail',
          )}
        >
          {part.value}
        </strong>
      ) : (
        part.value
      ),
    );
}
