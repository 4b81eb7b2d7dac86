import type { ReactNode } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';

type ResumedNoticeProps = {
  children: ReactNode;
  /** The label of the button; « Repartir de zéro » by default. */
  label?: string;
  onStartOver: () => void;
};

/** Says that a draft was restored, and offers to start without it. */
export function ResumedNotice({ children, label = 'Repartir de zéro', onStartOver }: ResumedNoticeProps) {
  return (
    <Notice
      tone="info"
      action={
        <Button size="sm" onClick={onStartOver}>
          {label}
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
