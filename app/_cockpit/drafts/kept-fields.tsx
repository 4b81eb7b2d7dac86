'use client';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ResumedNotice } from './resumed-notice.tsx';
import { sayAside } from './say-aside.ts';
import { ownDraft } from './tab-drafts.ts';
import { differs, fieldsOf, fill, type Typed, typedIn } from './typed-fields.ts';

type KeptFieldsProps = { name: string; children: ReactNode };

/**
 * Uncontrolled fields whose text is kept in this tab until `forgetFields` of the same name: a link, Escape or a reload loses nothing, and the browser
 * asks before it closes the tab. Says that texts were restored, and offers to start over, which can be undone.
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
    // A text typed before this effect, which no listener noticed.
    if (differs(typedIn(fieldsOf(around)), first.current)) keep();
    return () => {
      around.removeEventListener('input', keep);
      draft.letGo();
    };
  }, [name]);
  const putAside = (mine: Typed): void => {
    const draft = ownDraft(name);
    sayAside(() => {
      // The form may have been closed and opened again meanwhile.
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

/** Forgets the texts of the fields of this name, which were sent. */
export function forgetFields(name: string): void {
  ownDraft(name).keep(null);
}
