'use client';
import { Trash2 } from 'lucide';
import { useState } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { ofName } from '#app/_ui/format.ts';
import { Confirm } from '#app/_ui/overlay/dialog.tsx';
import { cutShort } from '#app/_ui/text/cut-short.ts';
import { toast } from '#app/_ui/toast.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import { deleteCommentAction } from './actions.ts';

type Props = {
  commentId: string;
  /** Null for the reader's own comment. */
  author: string | null;
  /** The text, whose first words tell this button apart from those of the other comments. */
  text: string;
};

/** Deletes a comment after a confirmation; it cannot be restored. */
export function DeleteComment({ commentId, author, text }: Props) {
  const refresh = useRefresh();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        icon={Trash2}
        label={`Supprimer ${author === null ? 'votre commentaire' : `le commentaire ${ofName(author)}`}\u00a0: ${cutShort(text.replace(/\s+/g, ' '), 60)}`}
        onClick={() => setOpen(true)}
      />
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title="Supprimer ce commentaire&nbsp;?"
        confirm="Supprimer le commentaire"
        onConfirm={async () => {
          const done = await act(deleteCommentAction({ commentId }));
          if (done?.message) toast({ title: done.message, tone: 'ok' });
          refresh();
        }}
      >
        Il disparaît pour tout le compte, et ne se retrouve pas.
      </Confirm>
    </>
  );
}
