'use client';
import type { TemplateProblem } from '#lib/studio/templates/preview/check-template.ts';

/** In UTF-16 units: how much text is shown on each side of a problem. */
const AROUND = 48;

type MarkedProblemsProps = {
  /** The identifier that the field's `aria-describedby` names. */
  id: string;
  text: string;
  problems: TemplateProblem[];
};

/** The problems of a field's text: for each, its message and, if known, the marked passage. */
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

/** A passage with the text around it, without half an emoji at its ends. Nothing if the text is now too short to contain the passage. */
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
