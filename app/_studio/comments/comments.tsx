import { LeavingLine } from '#app/_cockpit/focus/leaving-line.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import type { Comment } from '#lib/studio/comments/list-comments.ts';
import { withNames } from '#lib/studio/comments/mentions.ts';
import { CommentForm } from './comment-form.tsx';
import { DeleteComment } from './delete-comment.tsx';

type Props = {
  generationId: string;
  comments: readonly Comment[];
  nameOf: (memberId: string) => string | null;
  /** The members who can be named in a comment. */
  mentionable: readonly { id: string; name: string }[];
  memberId: string;
  /** Whether the reader may delete comments of other members. */
  mayDeleteAll: boolean;
  now: Date;
};

/** Members that the menu lists; the others are named by typing. */
const LISTED = 500;

/** The comments on a generation, in the order given, and the form of a new one. */
export function Comments({
  generationId,
  comments,
  nameOf,
  mentionable,
  memberId,
  mayDeleteAll,
  now,
}: Props) {
  const others = mentionable.filter(({ id }) => id !== memberId);
  return (
    <Section title="Commentaires">
      {comments.length > 0 ? (
        <ul role="list" className="mb-4 flex flex-col gap-3">
          {comments.map((comment) => {
            const isOwn = comment.memberId === memberId;
            const name = nameOf(comment.memberId);
            const text = withNames(comment.text, (id) => nameOf(id) ?? undefined);
            return (
              <LeavingLine key={comment.id} className="text-sm">
                <div className="flex items-center justify-between gap-2">
                  <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                    <span className="font-medium">{isOwn ? 'Vous' : (name ?? 'Un membre')}</span>
                    <Time at={comment.createdAt} now={now} className="text-ink-faint text-xs" />
                  </span>
                  {mayDeleteAll || isOwn ? (
                    <DeleteComment
                      commentId={comment.id}
                      author={isOwn ? null : (name ?? 'un membre')}
                      text={text}
                    />
                  ) : null}
                </div>
                <p className="wrap-anywhere whitespace-pre-line">{text}</p>
              </LeavingLine>
            );
          })}
        </ul>
      ) : null}
      <CommentForm generationId={generationId} mentionable={others.slice(0, LISTED)} />
      {others.length > LISTED ? (
        <p className="mt-2 text-ink-faint text-xs">
          «&nbsp;Nommer&nbsp;» propose les {LISTED} premiers membres, par ordre alphabétique. Pour en nommer
          un autre, écrivez @ suivi de son nom.
        </p>
      ) : null}
    </Section>
  );
}
