'use client';
import type { TemplateProblem } from '#lib/studio/templates/preview/check-template.ts';

const AROUND = 48;

type MarkedProblemsProps = {
  /** By which its field is described. */
  id: string;
  text: string;
  problems: TemplateProblem[];
};

/** What a field's text must correct: the sentence, and the very place in the text. */
export function MarkedProblems({ id, text, problems }: MarkedProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <ul role="list" id={id} className="mt-2 space-y-2 border-fail border-l-2 pl-3" aria-label="À corriger">
      {problems.map((problem) => (
        <li key={`${problem.start ?? ''}-${problem.message}`} className="text-sm">
          <p className="text-fail">{problem.message}</p>
          {problem.start !== undefined && problem.end !== undefined ? (
            <Place text={text} start={problem.start} end={problem.end} />
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** The words around a place, no emoji of them halved; when the text has changed since it was checked, nothing. */
function Place({ text, start, end }: { text: string; start: number; end: number }) {
  if (end > text.length) return null;
  const from = Math.max(0, start - AROUND);
  const to = Math.min(text.length, end + AROUND);
  return (
    <p className="wrap-anywhere mt-0.5 whitespace-pre-wrap text-ink-soft">
      {from > 0 ? '…' : ''}
      {text.slice(from, start).replace(/^[\udc00-\udfff]/, '')}
      <mark className="rounded-xs px-0.5">{text.slice(start, end)}</mark>
      {text.slice(end, to).replace(/[\ud800-\udbff]$/, '')}
      {to < text.length ? '…' : ''}
    </p>
  );
}
