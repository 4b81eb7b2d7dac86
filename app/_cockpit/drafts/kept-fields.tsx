'use client';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ResumedNotice } from './resumed-notice.tsx';
import { sayAside } from './say-aside.ts';
import { ownDraft } from './tab-drafts.ts';
import { differs, fieldsOf, fill, type Typed, typedIn } from './typed-fields.ts';

type KeptFieldsProps = { name: string; children: ReactNode };

/**
 * Fields of a form that hold what is typed by themselves, kept in this tab until `forgetFields` of the same name: a link, Escape or a reload
 * loses none of it, and the browser asks before it closes the tab over them. Says when it brought some back, and offers to begin anew, which can
 * be taken back.
 */
export function KeptFields({ name, children }: KeptFieldsProps) {
  const place = useRef<HTMLDivElement>(null);
  const first = useRef<Typed>({});
  const [resumed, setResumed] = useState(false);
  useEffect(() => {
    const around = place.current;
    if (!around) return;
    const draft = ownDraft(name);
    first.current = typedIn(fieldsOf(around), true);
    if (fill(fieldsOf(around), draft.read() as Typed, first.current)) setResumed(true);
    const keep = () => {
      const typed = typedIn(fieldsOf(around));
      const isTyped = differs(typed, first.current);
      draft.keep(isTyped ? typed : null);
      if (!isTyped) setResumed(false);
    };
    around.addEventListener('input', keep);
    // What was typed before this ran, which nothing heard.
    if (differs(typedIn(fieldsOf(around)), first.current)) keep();
    return () => {
      around.removeEventListener('input', keep);
      draft.letGo();
    };
  }, [name]);
  const putAside = (mine: Typed): void => {
    const draft = ownDraft(name);
    sayAside(() => {
      // The same form may have been left, and opened anew, meanwhile.
      const around = document.querySelector(`[data-kept-fields="${CSS.escape(name)}"]`);
      const now = around ? typedIn(fieldsOf(around)) : (draft.read() as Typed);
      if (differs(now, first.current) && differs(now, mine)) putAside(now);
      if (around) fill(fieldsOf(around), mine);
      else {
        draft.keep(mine);
        draft.letGo();
      }
      setResumed(true);
    });
  };
  const startOver = () => {
    if (!place.current) return;
    const fields = fieldsOf(place.current);
    putAside(typedIn(fields));
    fill(fields, first.current);
    fields[0]?.focus();
  };
  return (
    <div ref={place} data-kept-fields={name} className="contents">
      {resumed ? (
        <ResumedNotice onStartOver={startOver}>
          Voici ce que vous aviez écrit ici sans l’envoyer.
        </ResumedNotice>
      ) : null}
      {children}
    </div>
  );
}

/** What was typed in the fields of this name was sent: nothing of it is brought back. */
export function forgetFields(name: string): void {
  ownDraft(name).keep(null);
}
